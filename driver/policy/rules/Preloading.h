// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/InstalledPackage.h"
#include "driver/core/PythonEnvironment.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::policy {

/// A file of an environment, with what is installed around it.
struct PackageCase {
  /// Whose it is, and its path below that's site directory.
  const core::InstalledPackage *owner = nullptr;
  std::string path;
  /// The distributions that the owner requires, as far as they are installed, and all that are.
  llvm::ArrayRef<const core::InstalledPackage *> required, all;
  /// NVIDIA's libraries of the environment.
  llvm::ArrayRef<core::InstalledLibrary> libraries;
};

/// One library that Python opens before the file.
struct Preloaded {
  std::string path;
  /// With RTLD_GLOBAL.
  bool isGlobal = false;
  /// The distribution whose code does it, and where that was read.
  std::string package, source;
};

/// What is loaded before a file by those who use its package.
struct Preloading {
  /// Imported first: the frameworks that its metadata requires (`torch`).
  std::vector<std::string> frameworks;
  /// Opened then, in order; those in `fallback` only where the file cannot be loaded without.
  std::vector<Preloaded> first, fallback;
  /// What its package and those it requires are known to open for any file: names and patterns as
  /// the table has them, and where that lies; empty: nowhere.
  std::vector<std::pair<std::string, std::string>> known;

  /// One of the names is that of the library.
  bool isKnown(llvm::StringRef library) const;
  /// One is, and what lies there is no library of that name (`libcudart.so.13`), or nothing is.
  bool isKnownNotToOpen(llvm::StringRef library) const;
};

/// By the metadata of its distribution, and by the table of what packages open (preloads.json).
Preloading preloadingOf(const PackageCase &file);

/// Files of the same distribution that may bring a file into the process: its extension modules and
/// other shared objects, best first. A library that only these NEED is never opened by itself.
std::vector<std::string> siblingsOf(const PackageCase &file);

/// It rejects a file for want of \p library.
bool isForWantOf(const core::Finding &finding, llvm::StringRef library);

/// A file cannot be loaded by itself for want of \p library, and the package opens that, or so its
/// source says (CC2022). \p words are the loader's. \p module is what users import, \p paths where
/// it and what else the file lacks lie in the environment (empty: nowhere that is known), \p file
/// what `doctor` takes (empty: nothing).
core::Finding loadedByPackage(const core::LibraryCall &call, llvm::StringRef package,
                              llvm::StringRef library, llvm::StringRef words, llvm::StringRef file,
                              llvm::StringRef module, llvm::ArrayRef<std::string> paths);

/// As above, where it cannot be told whether the package opens it, as \p why says (`cannot read
/// .../load.py: Permission denied`).
core::Finding maybeLoadedByPackage(llvm::StringRef why, llvm::StringRef package,
                                   llvm::StringRef library, llvm::StringRef words,
                                   llvm::StringRef file, llvm::StringRef module,
                                   llvm::ArrayRef<std::string> paths);

/// The name under which users import a distribution: the folder of most of its sources (`faiss`).
std::string moduleOf(const core::InstalledPackage &package);

} // namespace cudacc::policy
