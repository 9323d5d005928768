// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include "driver/loader/search/Loader.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <memory>

namespace cudacc::loader {

/// What the tables know of the library of a row; \p doubt says why that may not hold, or is left
/// alone.
core::BinaryFacts factsOf(const core::TargetLibrary &row, uint16_t machine, std::string &doubt);

/// A site-packages of the runtime that lies on no disk: the wheels' libraries where their layout
/// puts them, with the search paths and needs that the tables know of their versions. For targets
/// from tables; where the runtime is a place (Target::sitePackages), the disk is asked.
/// - NVIDIA's libraries: those of the target, and no others; the driver's are the system's.
/// - torch's own libraries lie in torch/lib where the target has torch.
/// - Every other name is the system's or another package's, outside of what is judged: found in the
///   first default directory, unless a file that was added has that name.
/// May be asked by several threads once everything was added.
class WheelTree {
public:
  static constexpr llvm::StringLiteral Site = "/site";

  /// \p machine as ELF e_machine.
  explicit WheelTree(const core::Target &target, uint16_t machine);

  /// A file that is installed together with those that are judged. \p path is relative to
  /// site-packages; \p facts outlive the tree.
  void add(llvm::StringRef path, const core::BinaryFacts &facts);

  /// What lies here is only ever loaded after the framework, whatever it NEEDs: its package
  /// requires it.
  void alwaysAfterFramework() { requiresFramework = true; }

  /// Where a file may lie, as directories of this tree: `install-dir`, relative to site-packages,
  /// or where none is declared one package deep and site-packages itself (F18).
  static std::vector<std::string> placesFor(std::optional<llvm::StringRef> installDir);

  /// What loading the file comes to, in the first of the places that it loads from, or else in the
  /// first. Where the releases of a range differ in their folders, it has to load in each of them.
  /// An executable is started.
  ///
  /// A file that NEEDs libraries of the framework's is only ever loaded after it (F25):
  /// what that does not mend is the answer. What it does mend is the answer too, with
  /// `afterFramework` set: without search path, and no error.
  ///
  /// \p opened is opened before it, in order, as far as it can be: libraries of the runtime's by
  /// their SONAME, and files that were added by their path below site-packages.
  core::LoadResult load(const core::BinaryFacts &file, llvm::ArrayRef<std::string> places,
                        bool *afterFramework = nullptr,
                        llvm::ArrayRef<std::string> opened = {}) const;

  /// Python, with nothing loaded; or after `import torch`: its libraries of the names \p framework
  /// and the NVIDIA libraries that its releases require are there.
  Situation situation(bool afterFramework, llvm::ArrayRef<llvm::StringRef> framework = {}) const;
  /// \p variant is one of the ways in which the releases of a range lay out their folders.
  Candidate open(llvm::StringRef path, size_t variant = 0) const;
  size_t variants() const { return layouts.size(); }

private:
  struct Library {
    const core::TargetLibrary *row = nullptr;
    core::BinaryFacts facts;
    /// Why the facts are not known to be those of the version; empty: they are.
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
  /// By path, for each variant: the library's index.
  std::vector<llvm::StringMap<size_t>> layouts;
  struct Added {
    const core::BinaryFacts *facts = nullptr;
    size_t number = 0;
  };
  llvm::StringMap<Added> added;
  llvm::StringSet<> addedNames;
};

} // namespace cudacc::loader
