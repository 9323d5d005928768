#pragma once

#include "driver/core/CudaVersion.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cudacc::facts {

/// Lowest Linux driver that runs machine code of any release of a CUDA major (`525.60.13`); it says
/// nothing about PTX. Empty: unknown.
llvm::StringRef driverFloor(unsigned cudaMajor);

struct PtxVersion {
  unsigned major = 0, minor = 0;
  auto operator<=>(const PtxVersion &) const = default;
};

/// Highest PTX ISA a toolkit of that line writes; never computed from the line. Nothing: unknown.
std::optional<PtxVersion> ptxOf(core::CudaVersion line);

} // namespace cudacc::facts
