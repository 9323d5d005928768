// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include "driver/loader/search/Loader.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include <memory>

namespace cudacc::loader {

/// What the tables know about the library of a row. Sets \p doubt to the reason if that may not
/// apply to the row's version; otherwise leaves it unchanged.
core::BinaryFacts factsOf(const core::TargetLibrary &row, uint16_t machine, std::string &doubt);

/// Simulates the site-packages directory of a declared runtime that is not on disk: the wheels'
/// libraries in their directories, with the search paths and NEEDED entries that the tables have
/// for their versions. Used for targets from tables; if the runtime is installed
/// (Target::sitePackages), the disk is read instead.
/// - NVIDIA's libraries are those of the target and no others; the driver's are the system's.
/// - torch's own libraries are in torch/lib if the target has torch.
/// - Every other name belongs to the system or to another package and is not checked: it is found
///   in the first default directory, unless an added file has that name.
///
/// Safe to use from several threads once everything was added.
class WheelTree {
public:
  static constexpr llvm::StringLiteral Site = "/site";

  /// \p machine is an ELF e_machine.
  explicit WheelTree(const core::Target &target, uint16_t machine);

  /// Adds a file that is installed together with the checked ones. \p path is relative to
  /// site-packages; \p facts must outlive the tree.
  void add(llvm::StringRef path, const core::BinaryFacts &facts);

  /// Declares that files of this tree are always loaded after the framework, even without NEEDED
  /// entries for it, since their package requires it.
  void alwaysAfterFramework() { requiresFramework = true; }

  /// Directories of this tree in which a file may be installed: `install-dir`, relative to
  /// site-packages, or, if not declared, a package's directory and site-packages itself (F18).
  static std::vector<std::string> placesFor(std::optional<llvm::StringRef> installDir);

  /// The result of loading the file from the first of \p places from which it loads, or else from
  /// the first. If the releases of a range use different directories, the file must load with each
  /// of them. An executable is started.
  ///
  /// A file that NEEDs libraries of the framework is only ever loaded after it (F25). If that does
  /// not make it load, the result is the failure. If it does, the result is the failure without the
  /// framework and `afterFramework` is set: the file has no search path of its own, which is no
  /// error.
  ///
  /// \p opened are loaded before it, in order, skipping those that fail: libraries of the runtime
  /// by SONAME, and added files by their path relative to site-packages.
  core::LoadResult load(const core::BinaryFacts &file, llvm::ArrayRef<std::string> places,
                        bool *afterFramework = nullptr,
                        llvm::ArrayRef<std::string> opened = {}) const;

  /// The Python process with nothing loaded, or after `import torch`: then it has torch's libraries
  /// with the names \p framework and the NVIDIA libraries that torch requires.
  Situation situation(bool afterFramework, llvm::ArrayRef<llvm::StringRef> framework = {}) const;
  /// \p variant selects one of the directory layouts of the releases in a range.
  Candidate open(llvm::StringRef path, size_t variant = 0) const;
  size_t variants() const { return layouts.size(); }

private:
  struct Library {
    const core::TargetLibrary *row = nullptr;
    core::BinaryFacts facts;
    /// Why the facts may not be those of the version; empty if they are.
    std::string doubt;
    bool ofFramework = false;
  };

  core::LoadResult loadAt(const core::BinaryFacts &file, llvm::StringRef path, size_t variant,
                          bool afterFramework, llvm::ArrayRef<std::string> opened) const;
  core::LoadResult loadAt(const core::BinaryFacts &file, llvm::StringRef path, bool *afterFramework,
                          llvm::ArrayRef<std::string> opened) const;
  std::string pathOf(llvm::StringRef opened, size_t variant) const;
  Candidate ofSystem(llvm::StringRef name) const;

  bool hasTorch = false, requiresFramework = false;
  Situation plain;
  std::vector<std::unique_ptr<Library>> libraries;
  /// For each variant: index of the library by path.
  std::vector<llvm::StringMap<size_t>> layouts;
  struct Added {
    const core::BinaryFacts *facts = nullptr;
    size_t number = 0;
  };
  llvm::StringMap<Added> added;
  /// Their paths, by name.
  llvm::StringMap<std::string> addedNames;
};

} // namespace cudacc::loader
