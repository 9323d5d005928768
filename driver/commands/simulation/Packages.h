// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/LoadResult.h"
#include "driver/pipeline/System.h"
#include "driver/policy/rules/Preloading.h"
#include "driver/probe/python/InstalledPackages.h"
#include <map>

namespace cudacc::commands {

/// What users of a package have in the process before one of its files is loaded: by the metadata
/// of its distribution, by what is known of its code, and by its sources.
class Packages {
public:
  /// All outlive this. \p libraries are NVIDIA's that lie beside the packages.
  Packages(pipeline::System &system, probe::InstalledPackages &packages,
           llvm::ArrayRef<core::InstalledLibrary> libraries)
      : system(system), packages(packages), libraries(libraries) {}

  /// What is imported and opened before the file; nothing where nobody claims it.
  const policy::Preloading &preloading(llvm::StringRef path);
  /// As policy::siblingsOf.
  std::vector<std::string> siblings(llvm::StringRef path);
  /// The file's package opens \p library before it, or may; nothing: no source of it, nor of what
  /// it requires, says so. \p words are the loader's, without that; \p lacks is what else the file
  /// NEEDs and does not get. \p name is what `doctor` takes the file by; empty: by nothing. \p
  /// byName: the loader finds another library when Python asks for that name.
  std::optional<core::Finding> opensItself(llvm::StringRef path, llvm::StringRef name,
                                           llvm::StringRef library, llvm::StringRef words,
                                           llvm::ArrayRef<std::string> lacks, bool byName);
  /// NVIDIA's library of the environment; empty: it has none of that name.
  std::string placeOf(llvm::StringRef library) const;

private:
  pipeline::System &system;
  probe::InstalledPackages &packages;
  llvm::ArrayRef<core::InstalledLibrary> libraries;
  std::map<std::string, policy::Preloading, std::less<>> known;
  std::vector<const core::InstalledPackage *> required, all;

  policy::PackageCase caseOf(llvm::StringRef path);
  bool isInNamedToolkit(llvm::StringRef library);
};

} // namespace cudacc::commands
