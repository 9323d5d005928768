// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::probe {

/// Reads ld.so.cache in glibc's format 1.1, alone or after the older one (`ldconfig -c compat`).
class LoaderCache {
public:
  struct Entry {
    llvm::StringRef name, path;
    /// ldconfig's flags field: the ABI of the library.
    uint32_t flags = 0;
    /// The glibc-hwcaps subdirectory the library is in (`x86-64-v3`), "legacy" for a subdirectory
    /// of the older hwcaps scheme, otherwise empty.
    llvm::StringRef subdirectory;
  };

  /// Returns std::nullopt if the format is another one or the file is damaged.
  static std::optional<LoaderCache> read(std::string bytes);

  /// Returns the path of the library for a machine (ELF e_machine). \p hwcaps is as in
  /// loader::Situation, best first. Entries with legacy hwcaps are never chosen, since that choice
  /// depends on the CPU.
  std::optional<std::string> find(llvm::StringRef name, uint16_t machine,
                                  llvm::ArrayRef<std::string> hwcaps) const;
  /// All entries, in file order.
  std::vector<Entry> entries() const;

private:
  /// Offsets count from the beginning of the file.
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
  /// Indices into `rows`, sorted by name.
  std::vector<uint32_t> byName;
  std::vector<uint32_t> subdirectories;
};

} // namespace cudacc::probe
