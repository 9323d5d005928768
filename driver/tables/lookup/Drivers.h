// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/CudaVersion.h"
#include "driver/versions/Exported.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cudacc::tables {

/// Lowest Linux driver that runs machine code of any release of a CUDA major (`525.60.13`); it says
/// nothing about PTX. Empty: unknown.
llvm::StringRef driverFloor(unsigned cudaMajor);

struct PtxVersion {
  unsigned major = 0, minor = 0;
  auto operator<=>(const PtxVersion &) const = default;
};

/// Highest PTX ISA a toolkit of that line writes; never computed from the line. Nothing: unknown.
std::optional<PtxVersion> ptxOf(versions::CudaVersion line);

/// CUDA version whose driver has a name of libcuda.so.1 first (api_introduced_in). `atMost`: the
/// oldest that was looked at already has it. Nothing: the name is not listed.
struct DriverSince {
  versions::CudaVersion cuda;
  bool atMost = false;
};
std::optional<DriverSince> driverSince(llvm::StringRef symbol);
/// Whether the driver of that CUDA version exports the name: the driver keeps what it once had.
/// `_ptsz` and `_ptds` do not count. Ask SymbolTable first; it has drivers that were opened.
versions::Exported driverExports(versions::CudaVersion cuda, llvm::StringRef symbol);

} // namespace cudacc::tables
