// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/DeviceCode.h"
#include "driver/versions/CudaVersion.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace cudacc::binary {

/// Facts from the ELF structure of a cubin.
struct Cubin {
  /// It is an ELF64 file with readable section headers.
  bool readable = false;
  core::HasCode code = core::HasCode::Unknown;
  bool relocatable = false;
  /// Architecture number from e_flags (FB-P4); 0 if the flags of this ABI are unknown.
  unsigned arch = 0;
};

/// Reads \p out.size() bytes at an offset of the cubin; the range is within the cubin.
using ReadCubin = llvm::function_ref<llvm::Error(uint64_t offset, llvm::MutableArrayRef<char> out)>;

/// FB-40. A damaged cubin is not `readable`; errors are those of \p read.
llvm::Expected<Cubin> readCubin(uint64_t size, ReadCubin read);
/// The same for a cubin in memory.
Cubin readCubin(llvm::StringRef text);

/// The release of the ptxas or nvlink that made the cubin: from the ELF version of ABI 7 (SY-30),
/// else from the note in which they record themselves from 13.0 on (SY-27). 0.0 if it has neither.
llvm::Expected<versions::CudaVersion> cubinRelease(uint64_t size, ReadCubin read);
versions::CudaVersion cubinRelease(llvm::StringRef text);

} // namespace cudacc::binary
