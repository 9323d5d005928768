// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/loader/search/Expansion.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace cudacc::loader {

/// An object in the process.
struct Object {
  /// As the loader spells it; empty for the program, as in LoadStep::askedBy.
  std::string path;
  /// Null if unknown; the object then has no SONAME and no search path.
  const core::BinaryFacts *facts = nullptr;
  /// Index of the first object that NEEDED it; std::nullopt for dlopen.
  std::optional<size_t> loader;
  /// Split and expanded on first use.
  std::optional<std::vector<Directory>> rpath, runpath;
};

/// The objects of one process in load order, found by name or by file. The program is the first,
/// the loader the second; those of Situation::present follow.
class Objects {
public:
  static constexpr size_t Program = 0, FirstPresent = 2;

  explicit Objects(const Situation &situation);

  size_t size() const { return list.size(); }
  Object &operator[](size_t index) { return list[index]; }
  /// LS-0a: by SONAME, by a name it was requested by, or by path.
  std::optional<size_t> byName(llvm::StringRef name) const;
  /// LS-22. Unknown inodes never match.
  std::optional<size_t> byFile(uint64_t device, uint64_t inode) const;
  void addName(size_t index, llvm::StringRef name);
  size_t add(Object object, llvm::StringRef requested, uint64_t device, uint64_t inode);

private:
  std::vector<Object> list;
  llvm::StringMap<size_t> names;
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, size_t> files;
};

} // namespace cudacc::loader
