// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Image.h"
#include "driver/core/BinaryFacts.h"

namespace cudacc::binary {

/// What .dynamic says about tables; addresses, 0 when absent.
struct Dynamic {
  uint64_t strings = 0, stringsSize = 0, symbols = 0, hash = 0, gnuHash = 0;
  uint64_t versions = 0, needs = 0, needCount = 0, definitions = 0, definitionCount = 0;
  uint64_t relocations = 0, relocationsSize = 0, pltRelocations = 0, pltRelocationsSize = 0;
  uint64_t flags = 0, flags1 = 0;
  /// DT_BIND_NOW, which newer linkers write as a flag.
  bool bindNow = false;
  /// Offset and size of the string table in the file.
  uint64_t stringsOffset = 0;

  /// Name of the string table entry \p index.
  llvm::Expected<std::string> string(Bytes &bytes, uint64_t index, const char *what) const;
};

/// The headers of an ELF64 file of x86-64 or aarch64 into \p image, and its dynamic section.
llvm::Expected<Dynamic> openDynamic(Bytes &bytes, Image &image);
/// Fills soname, needed, rpath, runpath. A file without PT_DYNAMIC gives an empty Dynamic.
llvm::Expected<Dynamic> readDynamic(const Image &image, core::BinaryFacts &facts);

} // namespace cudacc::binary
