// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/toolkit/FactsPackage.h"
#include "driver/probe/toolkit/LinkHelper.h"
#include "driver/probe/toolkit/TorchTablePlace.h"
#include "driver/support/Paths.h"
#include "driver/tables/rows/Row.h"
#include "driver/versions/Format.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::probe {

using namespace core;
using namespace support;

std::string factsPlaceOf(llvm::StringRef self) { return resolvePath(parentOf(self), factsPlace); }

std::optional<TreeEntry> factsLinkFor(llvm::StringRef self) {
  return linkInside(factsPlace, factsPlaceOf(self));
}

Finding unusedFacts(llvm::StringRef path, llvm::StringRef why) {
  why.consume_front("the facts file is broken: ");
  why.consume_front("the facts package ");
  Finding finding = makeFinding(Code::UnusedFacts, fmt::format("facts package not used: {}", why));
  finding.addFact("where", path.str());
  return finding;
}

static llvm::Error unusablePackage(llvm::StringRef path, std::string why) {
  return makeError(Code::BrokenFacts, fmt::format("the facts package {}", why),
                   {{"where", path.str()}},
                   {"install it again: pip install --force-reinstall cuda-cc-facts"});
}

/// A file of a package, of limited size.
static llvm::Expected<std::string> readPart(const std::string &path, Files &files) {
  FileStatus status = files.stat(path);
  if (status.kind != FileStatus::Kind::Regular && !status.unreachable)
    return unusablePackage(path, fmt::format("has no {}", nameOf(path)));
  if (status.id.size > tables::rows::largestFile)
    return unusablePackage(path, "is larger than 1 MiB");
  auto text = files.read(path, tables::rows::largestFile);
  if (!text)
    return unusablePackage(path, "cannot be read: " + toFinding(text.takeError()).message);
  return text;
}

llvm::Expected<FactsPackage> readFactsPackage(llvm::StringRef path, Files &files) {
  FactsPackage package{path.str(), {}};
  auto text = readPart(package.releaseFile(), files);
  if (!text)
    return text.takeError();
  auto release = tables::readPackageRelease(*text, package.releaseFile());
  if (!release)
    return release.takeError();
  package.release = std::move(*release);
  return package;
}

llvm::Error addFactsPackage(const FactsPackage &package, Files &files, tables::UserTables &more) {
  auto text = readPart(package.tablesFile(), files);
  if (!text)
    return text.takeError();
  return tables::addPackage(*text, package.tablesFile(), package.release.release, more);
}

/// Why somebody else could have written the package. Empty if nobody could.
static std::string distrusted(const FactsPackage &package, Files &files, Trust &trust) {
  for (const std::string &file :
       {package.releaseFile(), package.tablesFile(), package.torchNamesFile()})
    if (FileStatus status = files.stat(file); status.exists())
      if (auto doubt = trust.doubt(file, status))
        return fmt::format("{}: {}", nameOf(file), doubt->because);
  return "";
}

FactsSearch findFactsPackage(llvm::ArrayRef<std::string> places, Files &files, Trust &trust) {
  FactsSearch search;
  std::vector<llvm::StringRef> seen;
  auto number = [](const FactsPackage &package) {
    return *versions::Version::parse(package.release.release);
  };
  for (const std::string &place : places) {
    if (llvm::is_contained(seen, place))
      continue;
    seen.push_back(place);
    FactsPackage package{place, {}};
    FileStatus status = files.stat(package.releaseFile());
    if (!status.exists() && !status.unreachable)
      continue;
    // Who wrote a file is looked at before what it says.
    if (std::string why = distrusted(package, files, trust); !why.empty()) {
      search.refused.push_back(unusedFacts(place, why));
      continue;
    }
    auto read = readFactsPackage(place, files);
    if (!read) {
      search.refused.push_back(unusedFacts(place, toFinding(read.takeError()).message));
      continue;
    }
    if (read->release.isNewer && (!search.package || number(*search.package) < number(*read)))
      search.package = std::move(*read);
  }
  return search;
}

static llvm::Error unusable(llvm::StringRef path, llvm::StringRef why) {
  return makeError(Code::BrokenFacts, fmt::format("the facts file {}", why),
                   {{"where", path.str()}}, {"leave it out, and declare env:PATH or cuda=="});
}

llvm::Expected<tables::UserTables> readFactsFile(llvm::StringRef path, Files &files) {
  FileStatus status = files.stat(path);
  if (!status.exists())
    return unusable(path, "does not exist");
  if (status.kind != FileStatus::Kind::Regular)
    return unusable(path, "is not a regular file");
  if (status.id.size > tables::rows::largestFile)
    return unusable(path, "is larger than 1 MiB");
  auto text = files.read(path, tables::rows::largestFile);
  if (!text)
    return unusable(path, "cannot be read: " + toFinding(text.takeError()).message);
  return tables::readUserTables(*text, nameOf(path));
}

} // namespace cudacc::probe
