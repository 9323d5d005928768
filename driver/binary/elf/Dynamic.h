// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Image.h"
#include "driver/core/BinaryFacts.h"

namespace cudacc::binary {

/// The tables that .dynamic names, by address; 0 if absent.
struct Dynamic {
  uint64_t strings = 0, stringsSize = 0, symbols = 0, hash = 0, gnuHash = 0;
  uint64_t versions = 0, needs = 0, needCount = 0, definitions = 0, definitionCount = 0;
  uint64_t relocations = 0, relocationsSize = 0, relocationSize = 0, relativeCount = 0;
  uint64_t pltRelocations = 0, pltRelocationsSize = 0, pltRelocationsKind = 0;
  uint64_t packedRelocations = 0, packedRelocationsSize = 0, packedRelocationSize = 0;
  uint64_t init = 0, initArray = 0, initArraySize = 0, finiArray = 0, finiArraySize = 0;
  uint64_t flags = 0, flags1 = 0;
  /// Tags below 64 that it has, and those that it has twice, as bits. NEEDED, which may repeat, is
  /// not among the latter.
  uint64_t tags = 0, repeated = 0;
  /// The section goes on behind DT_NULL, where the loader does not read it.
  bool hasRest = false;
  /// DT_BIND_NOW and DT_TEXTREL, which newer linkers write as flags instead.
  bool bindNow = false, relocatesText = false;
  /// File offset of the string table.
  uint64_t stringsOffset = 0;

  bool has(int64_t tag) const { return tags >> tag & 1; }
  /// The string at offset \p index of the string table.
  llvm::Expected<std::string> string(Bytes &bytes, uint64_t index, const char *what) const;
};

/// Reads the headers of an ELF64 file of x86-64 or aarch64 into \p image, and its dynamic section.
llvm::Expected<Dynamic> openDynamic(Bytes &bytes, Image &image);
/// Sets soname, needed, rpath, runpath. Returns an empty Dynamic if there is no PT_DYNAMIC.
llvm::Expected<Dynamic> readDynamic(const Image &image, core::BinaryFacts &facts);

} // namespace cudacc::binary
