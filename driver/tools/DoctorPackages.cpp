#include "driver/tools/DoctorPackages.h"
#include "driver/facts/Preloads.h"
#include "driver/probe/LibraryCalls.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tools {

using namespace core;

policy::PackageCase Packages::caseOf(llvm::StringRef path) {
  policy::PackageCase file;
  file.owner = packages.ownerOf(path);
  if (!file.owner)
    return file;
  file.path = packages.below(path);
  required = packages.requiredBy(*file.owner);
  all = packages.all();
  file.required = required;
  file.all = all;
  file.libraries = libraries;
  return file;
}

const policy::Preloading &Packages::preloading(llvm::StringRef path) {
  auto it = known.find(path);
  if (it == known.end())
    it = known.emplace(path.str(), policy::preloadingOf(caseOf(path))).first;
  return it->second;
}

std::vector<std::string> Packages::siblings(llvm::StringRef path) {
  return policy::siblingsOf(caseOf(path));
}

std::optional<Finding> Packages::opensItself(llvm::StringRef path, llvm::StringRef name,
                                             const LoadResult &load) {
  policy::PackageCase file = caseOf(path);
  if (!file.owner || load.missing.empty())
    return std::nullopt;
  // It is known that this one is looked for, and is not installed. A toolkit that a variable names
  // is where cuda.pathfinder looks next.
  bool isAbsent = llvm::any_of(preloading(path).absent, [&](llvm::StringRef pattern) {
    return facts::matchesPattern(pattern.substr(pattern.rfind('/') + 1), load.missing);
  });
  if (isAbsent && world.environment.getOr("CUDA_HOME").empty() &&
      world.environment.getOr("CUDA_PATH").empty())
    return std::nullopt;
  std::vector<const InstalledPackage *> asked{file.owner};
  asked.insert(asked.end(), required.begin(), required.end());
  for (const InstalledPackage *package : asked) {
    const auto &found = packages.callsOf(*package);
    const LibraryCall *call = probe::callFor(found.calls, load.missing);
    if (!call)
      continue;
    std::string place;
    for (const InstalledLibrary &library : libraries)
      if (library.soname == load.missing && place.empty())
        place = library.path;
    return policy::loadedByPackage(*call, package->name, load.missing, load.failure, name,
                                   policy::moduleOf(*file.owner), place);
  }
  return std::nullopt;
}

} // namespace cudacc::tools
