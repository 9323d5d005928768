// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/CudaVersion.h"
#include "driver/versions/Exported.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cudacc::tables {

/// Minimum Linux driver that runs machine code of all releases of a CUDA major (`525.60.13`). It
/// does not apply to PTX. Empty if unknown.
llvm::StringRef driverFloor(unsigned cudaMajor);

/// Highest PTX ISA that nvcc of that line writes; not derived from the line. 0.0: unknown.
versions::CudaVersion ptxOf(versions::CudaVersion line);

/// First CUDA version whose driver exports a name from libcuda.so.1 (api_introduced_in). `atMost`:
/// the oldest version examined already has it. std::nullopt if the name is not listed.
struct DriverSince {
  versions::CudaVersion cuda;
  bool atMost = false;
};
std::optional<DriverSince> driverSince(llvm::StringRef symbol);
/// Whether the driver of that CUDA version exports the name; drivers never remove names. `_ptsz`
/// and `_ptds` suffixes are ignored. Query SymbolTable first: it has drivers that were read.
versions::Exported driverExports(versions::CudaVersion cuda, llvm::StringRef symbol);

} // namespace cudacc::tables
