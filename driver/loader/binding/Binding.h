// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/LoadResult.h"
#include "driver/loader/search/Tree.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::loader {

/// An object of a process for symbol binding.
struct Mapped {
  /// As the loader spells it; for the program, as it was started.
  std::string path;
  /// The path of the file in the tree.
  std::string file;
  /// Names it was requested by, and path: what NEEDED entries and version needs refer to. The
  /// SONAME is one only if something requested it.
  std::vector<std::string> names;
  /// Null if its contents are unknown: it may define any unversioned symbol, and versioned ones of
  /// its own version nodes.
  const core::BinaryFacts *facts = nullptr;
  /// Indices of its NEEDED objects, in order.
  std::vector<size_t> needs;
  /// Its imports are checked: it was loaded by this load and could be read.
  bool isChecked = false;
  /// It is not on this machine but assumed to be present (the driver's libraries); it has no facts.
  /// What a library of that name may define counts as defined.
  bool isAssumed = false;
};

/// The outcome of binding.
struct BindingResult {
  std::optional<core::BindingFailure> failure;
  /// Facts that could not be determined, one clause each.
  std::vector<std::string> unknown;
};

/// Checks versions, then symbols, of the objects that one load added, as glibc does: versions
/// breadth first, symbols in relocation order (dependencies first). \p group is the loaded file and
/// all its dependencies, breadth first, whether new or not. \p global are the objects searched
/// before it, in order: the program, its dependencies, and what was loaded with RTLD_GLOBAL; empty
/// while the program starts. \p now is RTLD_NOW, which Python uses; otherwise functions are bound
/// on the first call.
BindingResult bind(llvm::ArrayRef<Mapped> objects, llvm::ArrayRef<size_t> group,
                   llvm::ArrayRef<size_t> global, bool now, Tree &tree);

/// \p root and its dependencies, breadth first.
std::vector<size_t> breadthFirst(llvm::ArrayRef<Mapped> objects, size_t root);

/// glibc's initialisation order (its default since 2.35, a depth-first search over NEEDED): an
/// object precedes its dependencies. Relocation runs through the list backwards.
std::vector<size_t> sorted(llvm::ArrayRef<Mapped> objects, llvm::ArrayRef<size_t> group);

} // namespace cudacc::loader
