// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/simulation/Packages.h"
#include "driver/probe/python/LibraryCalls.h"
#include "driver/support/Paths.h"
#include "driver/versions/Machine.h"

namespace cudacc::commands {

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
  file.major = major;
  return file;
}

const policy::Preloading &Packages::preloading(llvm::StringRef path) {
  auto it = known.find(path);
  if (it == known.end())
    it = known.emplace(path.str(), policy::preloadingOf(caseOf(path))).first;
  return it->second;
}

policy::Preloading Packages::preloadingWith(llvm::StringRef path,
                                            llvm::ArrayRef<InstalledLibrary> added) {
  policy::PackageCase file = caseOf(path);
  std::vector<InstalledLibrary> together = libraries.vec();
  llvm::append_range(together, added);
  file.libraries = together;
  return policy::preloadingOf(file);
}

std::vector<std::string> Packages::siblings(llvm::StringRef path) {
  return policy::siblingsOf(caseOf(path));
}

/// Whether the library is in a toolkit that a variable names, where cuda.pathfinder searches after
/// the environment.
bool Packages::isInNamedToolkit(llvm::StringRef library) {
  std::vector<std::string> folders = {"lib64", "lib", "extras/CUPTI/lib64", "nvvm/lib64"};
  for (const std::string &target : versions::targetFolders())
    folders.push_back(target + "/lib");
  for (llvm::StringRef variable : {"CUDA_HOME", "CUDA_PATH"}) {
    llvm::StringRef root = system.environment.getOr(variable);
    for (const std::string &folder : folders) {
      std::string path = support::joinPath(support::joinPath(root, folder), library);
      if (!root.empty() && system.files.stat(path).exists())
        return true;
    }
  }
  return false;
}

std::string Packages::placeOf(llvm::StringRef library) const {
  for (const InstalledLibrary &each : libraries)
    if (each.soname == library)
      return each.path;
  return {};
}

std::optional<Finding> Packages::opensItself(llvm::StringRef path, llvm::StringRef name,
                                             llvm::StringRef library, llvm::StringRef words,
                                             llvm::ArrayRef<std::string> lacks, bool byName) {
  policy::PackageCase file = caseOf(path);
  std::vector<std::string> places;
  if (std::string place = placeOf(library); !place.empty())
    places.push_back(std::move(place));
  for (llvm::StringRef each : lacks)
    if (std::string place = placeOf(each); !place.empty() && !llvm::is_contained(places, place))
      places.push_back(std::move(place));
  std::vector<const InstalledPackage *> asked;
  std::string module;
  if (file.owner) {
    // It is known which libraries the package opens, and this is not one of them.
    if (preloading(path).isKnownNotToOpen(library) && !isInNamedToolkit(library))
      return std::nullopt;
    asked.push_back(file.owner);
    asked.insert(asked.end(), required.begin(), required.end());
    module = policy::moduleOf(*file.owner);
  } else if (const auto *unread = packages.unreadFor("", path)) {
    return policy::maybeLoadedByPackage(unread->why, unread->package, library, words, name, "",
                                        places);
  } else if (const InstalledPackage *package = packages.unowned(path)) {
    asked.push_back(package);
    module = support::nameOf(package->name).str();
  }
  for (const InstalledPackage *package : asked)
    if (const LibraryCall *call = probe::callFor(packages.callsOf(*package).calls, library, byName))
      return policy::loadedByPackage(*call, package->name, library, words, name, module, places);
  for (const InstalledPackage *package : asked) {
    llvm::StringRef why = packages.callsOf(*package).unreadable;
    if (const auto *unread = packages.unreadFor(package->name, package->site); unread)
      why = unread->why;
    if (!why.empty())
      return policy::maybeLoadedByPackage(why, package->name, library, words, name, module, places);
  }
  return std::nullopt;
}

} // namespace cudacc::commands
