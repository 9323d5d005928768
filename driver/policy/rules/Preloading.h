// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/InstalledPackage.h"
#include "driver/core/PythonEnvironment.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::policy {

/// A file of an environment, and the packages installed with it.
struct PackageCase {
  /// The package it belongs to, and its path relative to the package's site directory.
  const core::InstalledPackage *owner = nullptr;
  std::string path;
  /// The installed distributions among the owner's requirements, and all installed ones.
  llvm::ArrayRef<const core::InstalledPackage *> required, all;
  /// NVIDIA's libraries of the environment.
  llvm::ArrayRef<core::InstalledLibrary> libraries;
  /// The CUDA major of the environment; 0 if it is not known.
  unsigned major = 0;
};

/// A library that Python code opens before the file.
struct Preloaded {
  std::string path;
  /// Opened with RTLD_GLOBAL.
  bool isGlobal = false;
  /// The distribution whose code opens it.
  std::string package;
};

/// A library without which the package's code fails when it is used, or several that the file opens
/// then.
struct UsedLibrary {
  /// The first of its names: `libcusparse.so.12`.
  std::string library;
  /// Paths and names, in the order in which they are tried.
  std::vector<std::string> names;
  /// The file itself opens all of them, as the loader searches for it, and uses none if one is not
  /// found.
  bool isSearched = false;
  /// What the code says if there is none.
  std::string raises;
  std::string package;
};

/// What is loaded before a file when its package is used normally.
struct Preloading {
  /// Imported first: the frameworks that the package's metadata requires (`torch`).
  std::vector<std::string> frameworks;
  /// Then opened, in order; `fallback` only if the file cannot be loaded otherwise.
  std::vector<Preloaded> first, fallback;
  /// Opened after the file.
  std::vector<UsedLibrary> used;
  /// What its package and the package's requirements are known to open for any file: names and
  /// patterns from the table, each with the path of the match; empty if no file matches.
  std::vector<std::pair<std::string, std::string>> known;

  /// Whether one of the names or patterns matches the library.
  bool isKnown(llvm::StringRef library) const;
  /// Whether one matches, but no matching file has that name (`libcudart.so.13`).
  bool isKnownNotToOpen(llvm::StringRef library) const;
};

/// According to the metadata of the file's distribution and the table of what packages open
/// (opens.json).
Preloading preloadingOf(const PackageCase &file);

/// Files of the same distribution that may load a file: its extension modules and other shared
/// objects, best first. A library that only these NEED is never opened by itself.
std::vector<std::string> siblingsOf(const PackageCase &file);

/// Whether the finding rejects a file because \p library is missing.
bool isForWantOf(const core::Finding &finding, llvm::StringRef library);

/// The finding for a file that cannot be loaded by itself because \p library is missing, while the
/// package opens that library, at least according to its source (CC2022). \p words: the loader's
/// message. \p module: the name to import. \p paths: where the library and others that the file
/// lacks lie in the environment (empty: not known). \p file: the argument for `doctor` (empty:
/// none).
core::Finding loadedByPackage(const core::LibraryCall &call, llvm::StringRef package,
                              llvm::StringRef library, llvm::StringRef words, llvm::StringRef file,
                              llvm::StringRef module, llvm::ArrayRef<std::string> paths);

/// Like loadedByPackage(), if it could not be determined whether the package opens the library; \p
/// why is the reason (`cannot read .../load.py: Permission denied`).
core::Finding maybeLoadedByPackage(llvm::StringRef why, llvm::StringRef package,
                                   llvm::StringRef library, llvm::StringRef words,
                                   llvm::StringRef file, llvm::StringRef module,
                                   llvm::ArrayRef<std::string> paths);

/// The name under which users import a distribution: the folder with most of its sources (`faiss`).
std::string moduleOf(const core::InstalledPackage &package);

} // namespace cudacc::policy
