// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/loader/search/Expansion.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace cudacc::loader {

/// An object in the process.
struct Object {
  /// As the loader spells it; empty: the program, as LoadStep::askedBy has it.
  std::string path;
  /// Null: not known (then it has no SONAME and no search path).
  const core::BinaryFacts *facts = nullptr;
  /// Index of the object that NEEDED it first; nothing: dlopen.
  std::optional<size_t> loader;
  /// Decomposed when first searched.
  std::optional<std::vector<Directory>> rpath, runpath;
};

/// The objects of one process, in the order they were loaded, and how a request finds them. The
/// program is the first, the loader itself the second; those of Situation::present follow.
class Objects {
public:
  static constexpr size_t Program = 0, FirstPresent = 2;

  explicit Objects(const Situation &situation);

  size_t size() const { return list.size(); }
  Object &operator[](size_t index) { return list[index]; }
  /// LS-0a: by SONAME, by a name it was asked for, or by its path.
  std::optional<size_t> byName(llvm::StringRef name) const;
  /// LS-22. Not known inodes are no file.
  std::optional<size_t> byFile(uint64_t device, uint64_t inode) const;
  void addName(size_t index, llvm::StringRef name);
  size_t add(Object object, llvm::StringRef requested, uint64_t device, uint64_t inode);

private:
  std::vector<Object> list;
  llvm::StringMap<size_t> names;
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, size_t> files;
};

} // namespace cudacc::loader
