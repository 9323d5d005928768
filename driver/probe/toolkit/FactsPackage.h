// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/core/Files.h"
#include "driver/core/ToolkitTree.h"
#include "driver/support/Trust.h"
#include "driver/tables/lookup/UserTables.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::probe {

/// Reads the user's facts file at \p path (F16). Errors, all Code::BrokenFacts or FactsContradict:
/// it cannot be read, is larger than 1 MiB, or is rejected by tables::readUserTables().
llvm::Expected<tables::UserTables> readFactsFile(llvm::StringRef path, core::Files &files);

/// A facts package (docs/facts.md): a directory with `release.json`, `tables.json` and
/// `torch-names.bin`, as the wheel cuda-cc-facts installs it.
struct FactsPackage {
  /// Absolute path of the directory.
  std::string path;
  tables::PackageRelease release;

  std::string releaseFile() const { return path + "/release.json"; }
  std::string tablesFile() const { return path + "/tables.json"; }
  std::string torchNamesFile() const { return path + "/torch-names.bin"; }
};

/// The result of looking for packages in places that nobody named.
struct FactsSearch {
  /// The newest package, if it is newer than the built-in data.
  std::optional<FactsPackage> package;
  /// Code::UnusedFacts: packages that cannot be used.
  std::vector<core::Finding> refused;
};

/// Directory of a package, by the prefix that it is installed in.
inline constexpr llvm::StringLiteral factsPlaceInPrefix = "share/cuda-cc/facts";
/// The same for the package that is installed with the program at \p self.
std::string factsPlaceOf(llvm::StringRef self);
/// The symbolic link by which a copy of the program in a directory's `bin` finds that package,
/// which may be installed later. std::nullopt if the program's data are elsewhere.
std::optional<core::TreeEntry> factsLinkFor(llvm::StringRef self);

/// Looks in \p places, which may name a directory twice; each costs one stat if nothing is there. A
/// package may weaken checks, so its files must satisfy \p trust.
FactsSearch findFactsPackage(llvm::ArrayRef<std::string> places, core::Files &files,
                             support::Trust &trust);
/// The package in a directory that the user named. Error: Code::BrokenFacts.
llvm::Expected<FactsPackage> readFactsPackage(llvm::StringRef path, core::Files &files);
/// Adds its rows to \p more. Error: Code::BrokenFacts.
llvm::Error addFactsPackage(const FactsPackage &package, core::Files &files,
                            tables::UserTables &more);
/// Code::UnusedFacts, with the path as its one fact: why the package at \p path is not used.
core::Finding unusedFacts(llvm::StringRef path, llvm::StringRef why);

} // namespace cudacc::probe
