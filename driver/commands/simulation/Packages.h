// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/LoadResult.h"
#include "driver/pipeline/System.h"
#include "driver/policy/rules/Preloading.h"
#include "driver/probe/python/InstalledPackages.h"
#include <map>

namespace cudacc::commands {

/// What is in the process before users of a package load one of its files, according to the
/// metadata of its distribution, to the tables about its code, and to its sources.
class Packages {
public:
  /// All must outlive this. \p libraries: NVIDIA's, installed beside the packages. \p major: see
  /// policy::PackageCase.
  Packages(pipeline::System &system, probe::InstalledPackages &packages,
           llvm::ArrayRef<core::InstalledLibrary> libraries, unsigned major = 0)
      : system(system), packages(packages), libraries(libraries), major(major) {}

  /// What is imported and opened before the file; empty if no package owns it.
  const policy::Preloading &preloading(llvm::StringRef path);
  /// The same once \p added are installed.
  policy::Preloading preloadingWith(llvm::StringRef path,
                                    llvm::ArrayRef<core::InstalledLibrary> added);
  /// See policy::siblingsOf.
  std::vector<std::string> siblings(llvm::StringRef path);
  /// A finding if the file's package opens \p library before the file, or may; std::nullopt if
  /// neither its sources nor those of packages it requires do. \p words: the loader's error
  /// otherwise. \p lacks: NEEDED libraries that are not found. \p name: the file's name for
  /// `doctor`; empty if it has none. \p byName: the loader finds a library of that name if Python
  /// opens it by its bare name.
  std::optional<core::Finding> opensItself(llvm::StringRef path, llvm::StringRef name,
                                           llvm::StringRef library, llvm::StringRef words,
                                           llvm::ArrayRef<std::string> lacks, bool byName);
  /// Path of NVIDIA's library in the environment; empty if it has none of that name.
  std::string placeOf(llvm::StringRef library) const;

private:
  pipeline::System &system;
  probe::InstalledPackages &packages;
  llvm::ArrayRef<core::InstalledLibrary> libraries;
  unsigned major;
  std::map<std::string, policy::Preloading, std::less<>> known;
  std::vector<const core::InstalledPackage *> required, all;

  policy::PackageCase caseOf(llvm::StringRef path);
  bool isInNamedToolkit(llvm::StringRef library);
};

} // namespace cudacc::commands
