// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/LoadResult.h"
#include "driver/core/PythonEnvironment.h"
#include "driver/core/Target.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::policy {

/// A library that one of NVIDIA's opens by name at its first call.
struct PartCopy {
  std::string soname;
  /// Path of the library that opens it.
  std::string opener;
  core::LoadedCopy copy;
  /// Functions that the opener looks up there, and that it lacks.
  std::vector<std::string> lacked;
  /// The opener ends the process if one is missing.
  bool endsProcess = false;
};

/// What was loaded, and by whom it may be refused.
struct VersionCase {
  llvm::ArrayRef<core::LoadedCopy> loaded;
  llvm::ArrayRef<PartCopy> parts;
  llvm::ArrayRef<core::InstalledDistribution> distributions;
  /// The runtime of the environment; null if it has no CUDA.
  const core::Target *installed = nullptr;
};

/// Whether a library opens it, not the code of a package.
inline bool isOfLibrary(const core::NotOpened &each) {
  return each.opener.find('/') != std::string::npos;
}

/// "at its first call", when a library opens another one.
std::string firstCall(bool endsProcess);

/// Why the loader took the copy: "torch loaded it before: RPATH $ORIGIN of libtorch_cuda.so".
std::string reasonOf(const core::LoadedCopy &copy);

/// A loaded library of a version that a framework does not take, by a check of its own.
struct RefusedLibrary {
  const core::LoadedCopy *copy = nullptr;
  const core::InstalledDistribution *package = nullptr;
  /// The lowest version that it takes.
  versions::Version least;
  /// What it says.
  llvm::StringRef raises;
};

/// According to the table version_rules, each library once. A library of which no version is known
/// is none.
std::vector<RefusedLibrary> refusedLibraries(const VersionCase &process);

/// The findings about them, and about parts that lack names which the library of NVIDIA's that
/// opens them asks for (CC3005).
std::vector<core::Finding> judgeVersions(const VersionCase &process);

} // namespace cudacc::policy
