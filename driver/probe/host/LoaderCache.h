// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::probe {

/// ld.so.cache: format 1.1 of glibc, alone or behind the older one (`ldconfig -c compat`).
class LoaderCache {
public:
  struct Entry {
    llvm::StringRef name, path;
    /// What ldconfig calls flags: the ABI of the library.
    uint32_t flags = 0;
    /// Of a library in a directory of glibc-hwcaps, that directory (`x86-64-v3`); of one in a
    /// directory of glibc's older kind, "legacy".
    llvm::StringRef subdirectory;
  };

  /// Nothing: another format, or damaged.
  static std::optional<LoaderCache> read(std::string bytes);

  /// Path of the library for a machine (ELF e_machine). \p hwcaps as loader::Situation has them,
  /// best first; one of the older kind is never chosen, since that depends on the CPU.
  std::optional<std::string> find(llvm::StringRef name, uint16_t machine,
                                  llvm::ArrayRef<std::string> hwcaps) const;
  /// In the order of the file.
  std::vector<Entry> entries() const;

private:
  /// Offsets count from the file's beginning.
  struct Row {
    uint32_t name = 0, path = 0, flags = 0;
    uint64_t hwcap = 0;
  };

  bool readRows(size_t begin, uint32_t count);
  bool readExtension(uint32_t offset);
  std::optional<llvm::StringRef> string(uint64_t offset) const;
  llvm::StringRef text(uint32_t offset) const;
  Entry entry(const Row &row) const;

  std::string bytes;
  std::vector<Row> rows;
  /// Indices of `rows`, by name.
  std::vector<uint32_t> byName;
  std::vector<uint32_t> subdirectories;
};

} // namespace cudacc::probe
