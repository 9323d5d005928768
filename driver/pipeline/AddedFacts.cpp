// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/AddedFacts.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "driver/versions/Version.h"

namespace cudacc::pipeline {

using namespace core;

static std::string pathOf(System &system, llvm::StringRef value) {
  return support::expandHome(value, system.environment.getOr("HOME"));
}

Setting<std::string> factsVariable(const System &system) {
  return {system.environment.getOr("CUDA_CC_FACTS").str(),
          {Origin::Kind::Variable, "CUDA_CC_FACTS"}};
}

static llvm::Error withOrigin(llvm::Error error, const Setting<std::string> &facts) {
  Finding finding = toFinding(std::move(error));
  finding.origin = facts.origin.str();
  finding.facts.push_back({"declared", "facts in " + finding.origin});
  return makeError(std::move(finding));
}

static bool isNewer(const probe::FactsPackage &a, const probe::FactsPackage &b) {
  return *versions::Version::parse(b.release.release) <
         *versions::Version::parse(a.release.release);
}

llvm::Expected<probe::FactsSearch> findFacts(System &system, const Setting<std::string> &facts) {
  std::vector<std::string> places = {probe::factsPlaceOf(system.self)};
  for (llvm::StringRef variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (llvm::StringRef prefix = system.environment.getOr(variable); prefix.starts_with("/"))
      places.push_back(support::joinPath(prefix.rtrim('/'), probe::factsPlaceInPrefix));
  support::Trust trust(system.files, system.environment, system.uid);
  probe::FactsSearch search = probe::findFactsPackage(places, system.files, trust);
  std::string named = facts.value.empty() ? "" : pathOf(system, facts.value);
  if (named.empty() || system.files.stat(named).kind != FileStatus::Kind::Directory)
    return search;
  auto package = probe::readFactsPackage(support::absolute(named, system.files), system.files);
  if (!package)
    return withOrigin(package.takeError(), facts);
  if (package->release.isNewer && !(search.package && isNewer(*search.package, *package)))
    search.package = std::move(*package);
  return search;
}

llvm::Expected<std::optional<tables::UserTables>>
readUserTables(System &system, const Setting<std::string> &facts, probe::FactsSearch &search) {
  std::optional<tables::UserTables> rows;
  std::string named = facts.value.empty() ? "" : pathOf(system, facts.value);
  bool isPackage = !named.empty() && system.files.stat(named).kind == FileStatus::Kind::Directory;
  if (!named.empty() && !isPackage) {
    auto read = probe::readFactsFile(named, system.files);
    if (!read)
      return withOrigin(read.takeError(), facts);
    rows = std::move(*read);
  }
  if (!search.package)
    return rows;
  tables::UserTables added = rows ? *rows : tables::UserTables();
  llvm::Error error = probe::addFactsPackage(*search.package, system.files, added);
  if (!error)
    return added;
  const std::string &path = search.package->path;
  if (isPackage && path == support::absolute(named, system.files))
    return withOrigin(std::move(error), facts);
  search.refused.push_back(probe::unusedFacts(path, toFinding(std::move(error)).message));
  search.package.reset();
  return rows;
}

llvm::Expected<std::optional<tables::UserTables>> readUserTables(System &system,
                                                                 const Declaration &declaration) {
  auto search = findFacts(system, declaration.facts);
  if (!search)
    return search.takeError();
  return readUserTables(system, declaration.facts, *search);
}

} // namespace cudacc::pipeline
