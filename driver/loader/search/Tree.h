// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Exports.h"
#include "driver/loader/search/Candidate.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace cudacc::loader {

/// A symbol in binding order; `isLazy` if it is bound on the first call.
struct Bound {
  std::string symbol;
  bool isLazy = false;
};

/// What a process can see: files by path, and the loader's cache. The same question gets the same
/// answer each time. \p machine: ELF e_machine of the process.
class Tree : public core::Exports {
public:
  /// Opens a path as the loader does. The facts of the result live as long as the tree.
  virtual Candidate open(llvm::StringRef path, uint16_t machine) = 0;
  /// The path in ld.so.cache for a SONAME; std::nullopt if the cache has no entry.
  virtual std::optional<std::string> cached(llvm::StringRef name, uint16_t machine) = 0;
  /// The subdirectories of glibc-hwcaps that the processor can use, best first; std::nullopt if it
  /// is not known.
  virtual std::optional<std::vector<std::string>> hwcaps(uint16_t) { return std::nullopt; }
  /// The entries of verneed, in order.
  virtual std::vector<core::VersionNeed> versionNeeds(llvm::StringRef path) = 0;
  /// Those of \p symbols that are bound at all, in the loader's order; std::nullopt if unreadable.
  virtual std::optional<std::vector<Bound>> order(llvm::StringRef path,
                                                  llvm::ArrayRef<llvm::StringRef> symbols) = 0;
};

} // namespace cudacc::loader
