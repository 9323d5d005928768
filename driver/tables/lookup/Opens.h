// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/Confidence.h"
#include "driver/versions/CudaVersion.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <tuple>
#include <vector>

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
  std::vector<llvm::StringRef> packages, files;
  /// Versions of the packages: the first one, and the first after the last. Empty: no bound.
  llvm::StringRef from, before;
  /// For all files of distributions that require the package.
  bool dependents = false;
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

  static constexpr auto columns = std::tuple(
      &Open::packages, &Open::files, &Open::from, &Open::before, &Open::dependents, &Open::opens,
      &Open::when, &Open::where, &Open::isGlobal, &Open::missing, &Open::raises, &Open::confidence);
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
  std::vector<llvm::StringRef> packages;
  /// Versions of the packages; both are included.
  std::string from, to;
  /// Files of the package below site-packages; the rule is for a process that loads one of them.
  std::vector<llvm::StringRef> files;
  /// Pattern of the library's name.
  llvm::StringRef library;
  /// The lowest version that is taken.
  std::string least;
  /// The CUDA line of the build of the package that was read; 0.0 for all.
  versions::CudaVersion line;
  /// What the package then says.
  llvm::StringRef raises;
  Confidence confidence = Confidence::Verified;

  static constexpr auto columns =
      std::tuple(&VersionRule::packages, &VersionRule::from, &VersionRule::to, &VersionRule::files,
                 &VersionRule::library, &VersionRule::least, &VersionRule::line,
                 &VersionRule::raises, &VersionRule::confidence);
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
