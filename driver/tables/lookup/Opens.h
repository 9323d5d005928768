// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/Confidence.h"
#include "driver/versions/CudaVersion.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cudacc::tables {

/// When a name is opened: by a package's Python code before one of its files is loaded, by the same
/// only if the file cannot be loaded otherwise, by that code when the package is used, or by a
/// library of NVIDIA's itself.
enum class When : uint8_t { Import, FailedImport, Use, FirstCall };

/// Where: NVIDIA's libraries of the environment and files below site-packages; the same without
/// folders of another CUDA major; as a module; as the loader searches for the file that opens.
enum class Where : uint8_t { SitePackages, OwnMajor, Modules, Search };

/// What follows if no name is found.
enum class Missing : uint8_t { GoesOn, Fails, EndsProcess };

/// What a package's Python code, or a library, opens by name.
struct Open {
  /// All of them at an import and where a package's file searches for them, else alternatives, in
  /// order: a library by its name
  /// (`libcublas.so.12`), or a file below site-packages (`librmm/lib64/librmm.so`). `*` matches any
  /// characters. A library's are complete: `libcudnn_ops.so.9.1.0`.
  llvm::SmallVector<std::string, 4> opens;
  When when = When::Import;
  Where where = Where::SitePackages;
  /// Opened with RTLD_GLOBAL.
  bool isGlobal = false;
  Missing missing = Missing::GoesOn;
  /// What is said then; empty if nothing.
  std::string raises;
  Confidence confidence = Confidence::Verified;
};

/// For \p file of distribution \p package: a path below site-packages, or the SONAME of one of
/// NVIDIA's libraries. An unknown version counts as the newest. In the order of the data.
llvm::SmallVector<Open, 2> opensOf(llvm::StringRef package,
                                   const std::optional<versions::Version> &version,
                                   llvm::StringRef file);
/// For all files of distributions that require \p package.
llvm::SmallVector<Open, 2> opensFor(llvm::StringRef package,
                                    const std::optional<versions::Version> &version);

/// What the code of \p package opens, for any file; not what its files search for.
llvm::SmallVector<Open, 2> allOpensOf(llvm::StringRef package,
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

/// Of that release of \p package, as its index has it. Releases that were not read have none, and
/// neither have pre-releases and local versions, which are other builds.
llvm::SmallVector<VersionRule, 2> versionRulesOf(llvm::StringRef package,
                                                 const versions::Version &version);

/// Whether there are such rules for any version of the package.
bool hasVersionRules(llvm::StringRef package);

/// Whether \p text matches \p pattern, in which `*` stands for zero or more characters.
bool matchesPattern(llvm::StringRef pattern, llvm::StringRef text);

} // namespace cudacc::tables
