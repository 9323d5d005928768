// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/DeviceCode.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace cudacc::binary {

/// What the ELF structure of a cubin says.
struct Cubin {
  /// It is an ELF64 file whose section headers can be read.
  bool readable = false;
  core::HasCode code = core::HasCode::Unknown;
  bool relocatable = false;
  /// Number of the architecture, from e_flags (FB-P4); 0: of an ABI whose flags are not known.
  unsigned arch = 0;
};

/// Reads \p out.size() bytes at an offset of the cubin; they lie inside it.
using ReadCubin = llvm::function_ref<llvm::Error(uint64_t offset, llvm::MutableArrayRef<char> out)>;

/// FB-40. A cubin that is damaged is not readable; an error is the reader's.
llvm::Expected<Cubin> readCubin(uint64_t size, ReadCubin read);
/// Of a cubin in memory.
Cubin readCubin(llvm::StringRef text);

} // namespace cudacc::binary
