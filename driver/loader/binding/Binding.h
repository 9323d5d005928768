// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/LoadResult.h"
#include "driver/versions/Exported.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::loader {

/// An object of a process, as its symbols are bound.
struct Mapped {
  /// As the loader spells it; of the program, as it was called.
  std::string path;
  /// SONAME, the names it was asked for by, its path: what `needs` and version needs mean it by.
  std::vector<std::string> names;
  /// Null: nothing is known of it; it may have any name without version, and
  /// those with a version that is its own.
  const core::BinaryFacts *facts = nullptr;
  /// Indices of what it NEEDs, in its order.
  std::vector<size_t> needs;
  /// Its imports are looked at: it is new in the process, and they were read.
  bool isChecked = false;
  /// It is not on this machine, and taken to be there (the driver's): without facts.
  /// Linkage::exported says whether it can have a name at all; that it may is no doubt about the
  /// process.
  bool isAssumed = false;
};

/// A version that one file needs of another.
struct VersionNeed {
  std::string file, node;
  bool isWeak = false;
};

/// A symbol that is bound; lazily: when it is first called.
struct Bound {
  std::string symbol;
  bool isLazy = false;
};

/// What is asked of files while their symbols are bound. Objects are given by their index.
struct Linkage {
  /// \p node empty: none is asked for.
  llvm::function_ref<versions::Exported(size_t object, llvm::StringRef symbol,
                                        llvm::StringRef node)>
      exported;
  /// Has DT_VERSYM and what belongs to it; nothing: could not be read.
  llvm::function_ref<std::optional<bool>(size_t object)> versioned;
  /// verneed, in its order.
  llvm::function_ref<std::vector<VersionNeed>(size_t object)> versionNeeds;
  /// Of \p symbols those that are bound at all, in the loader's order; nothing: could not be read.
  llvm::function_ref<std::optional<std::vector<Bound>>(size_t object,
                                                       llvm::ArrayRef<llvm::StringRef> symbols)>
      order;
};

/// What came of binding.
struct BindingResult {
  std::optional<core::BindingFailure> failure;
  /// Facts that were not to be had, one clause each.
  std::vector<std::string> unknown;
};

/// Versions, then symbols, of what one load brought, as glibc 2.36 checks them: versions breadth
/// first, symbols in the order of relocation (dependencies first). \p group is the file that was
/// loaded and everything it leads to, breadth first, new or not; \p global what is searched before
/// it, in order: the program, what that needs, and what was loaded for everybody.
/// \p now: RTLD_NOW, as Python loads; otherwise functions are bound when they are called.
BindingResult bind(llvm::ArrayRef<Mapped> objects, llvm::ArrayRef<size_t> group,
                   llvm::ArrayRef<size_t> global, bool now, const Linkage &linkage);

/// The objects that \p root leads to, breadth first, itself first.
std::vector<size_t> breadthFirst(llvm::ArrayRef<Mapped> objects, size_t root);

/// glibc's order of initialisation (its default since 2.35, a depth-first search over what objects
/// NEED): what is needed lies behind what needs it. Relocation goes through it from the back.
std::vector<size_t> sorted(llvm::ArrayRef<Mapped> objects, llvm::ArrayRef<size_t> group);

} // namespace cudacc::loader
