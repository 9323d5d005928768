// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/python/InstalledLibraries.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::probe {

using namespace core;
using namespace support;
using llvm::StringRef;

namespace {

/// A package in conda-meta that NVIDIA may have made, judging by its name.
struct CondaPackage {
  InstalledDistribution dist;
  std::string text;
};

} // namespace

/// A coarse filter by name; the package's list of files decides.
static bool mayBringCuda(StringRef name) {
  return name.contains("cu") || name.contains("nv") || name.contains("npp") ||
         name.contains("nccl");
}

static llvm::Expected<std::vector<CondaPackage>> readPackages(StringRef folder, Files &files) {
  std::vector<CondaPackage> packages;
  auto names = files.readDirectory(folder);
  if (!names)
    return names.takeError();
  for (const std::string &file : *names) {
    StringRef stem = file;
    if (!stem.consume_back(".json"))
      continue;
    // Files are named NAME-VERSION-BUILD; only NAME may contain a hyphen.
    auto [name, version] = stem.rsplit('-').first.rsplit('-');
    if (version.empty() || !mayBringCuda(name))
      continue;
    auto text = files.read(joinPath(folder, file), largestMetadata);
    if (text)
      packages.push_back({{name.str(), version.str(), file, folder.str()}, std::move(*text)});
    else
      llvm::consumeError(text.takeError());
  }
  return packages;
}

llvm::Error findCondaLibraries(PythonEnvironment &environment, Files &files) {
  std::string meta = joinPath(environment.prefix, "conda-meta");
  std::string folder = joinPath(environment.prefix, "lib");
  if (files.stat(meta).kind != FileStatus::Kind::Directory)
    return llvm::Error::success();
  auto listed = listDirectory(folder, environment, files);
  if (!listed)
    return listed.takeError();
  std::vector<std::string> names = listed->value_or(std::vector<std::string>());
  llvm::erase_if(names, [](StringRef name) { return tables::majorsOf(name).empty(); });
  if (names.empty())
    return llvm::Error::success();
  auto read = readPackages(meta, files);
  if (!read)
    return read.takeError();
  std::vector<CondaPackage> packages = std::move(*read);
  for (const std::string &name : names) {
    InstalledLibrary library;
    library.soname = name;
    library.path = support::joinPath(folder, name);
    std::string listed = fmt::format("\"lib/{}\"", name);
    auto owner = llvm::find_if(packages, [&](const CondaPackage &package) {
      return StringRef(package.text).contains(listed);
    });
    if (owner == packages.end()) {
      Finding &problem = addProblem(environment, Code::ToolkitVersionUnknown, Severity::Error,
                                    "no package in conda-meta has " + name);
      problem.library = name;
      problem.addFact("library", library.path);
    } else {
      library.dist = owner->dist.name;
      library.version = owner->dist.version;
      library.metadata = owner->dist.metadata;
    }
    environment.libraries.push_back(std::move(library));
  }
  for (CondaPackage &package : packages)
    environment.distributions.push_back(std::move(package.dist));
  return llvm::Error::success();
}

} // namespace cudacc::probe
