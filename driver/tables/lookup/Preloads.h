// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/Confidence.h"
#include "driver/versions/CudaVersion.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cudacc::tables {

/// Libraries that a package's Python code opens before one of its files is loaded.
struct Preload {
  /// In order: a library of the environment by name (`libcublas.so.12`), or a file below
  /// site-packages (`librmm/lib64/librmm.so`). `*` matches any characters. Missing files are
  /// skipped.
  llvm::SmallVector<llvm::StringRef, 4> opens;
  /// Opened with RTLD_GLOBAL.
  bool isGlobal = false;
  /// Opened only if the file cannot be loaded otherwise.
  bool isFallback = false;
  /// If not empty, one of the names must be found when the package is used; otherwise its code
  /// fails with these words.
  llvm::StringRef raises;
  Confidence confidence = Confidence::Verified;
};

/// For \p path below site-packages, in distribution \p package. An unknown version counts as the
/// newest. In the order of the data.
llvm::SmallVector<Preload, 2> preloadsOf(llvm::StringRef package,
                                         const std::optional<versions::Version> &version,
                                         llvm::StringRef path);
/// For all files of distributions that require \p package.
llvm::SmallVector<Preload, 2> preloadsFor(llvm::StringRef package,
                                          const std::optional<versions::Version> &version);

/// For any file of \p package.
llvm::SmallVector<Preload, 2> allPreloadsOf(llvm::StringRef package,
                                            const std::optional<versions::Version> &version);

/// Versions of a library that a package does not work with, by a check of its own.
struct VersionRule {
  /// Files of the package below site-packages; the rule is for a process that loads one of them.
  llvm::SmallVector<llvm::StringRef, 2> files;
  /// Pattern of the library's name.
  llvm::StringRef library;
  /// The lowest version that is taken.
  llvm::StringRef least;
  /// The CUDA line of the build of the package that was read; 0.0 for all.
  versions::CudaVersion line;
  /// What the package then says.
  llvm::StringRef raises;
  Confidence confidence = Confidence::Verified;
};

/// Of that version of \p package. An unknown version counts as the newest.
llvm::SmallVector<VersionRule, 2> versionRulesOf(llvm::StringRef package,
                                                 const std::optional<versions::Version> &version);

/// Whether there are such rules for any version of the package.
bool hasVersionRules(llvm::StringRef package);

/// Whether \p text matches \p pattern, in which `*` stands for zero or more characters.
bool matchesPattern(llvm::StringRef pattern, llvm::StringRef text);

} // namespace cudacc::tables
