#pragma once

#include "driver/core/CudaVersion.h"
#include "driver/core/LibraryFloor.h"
#include "driver/core/Target.h"
#include "driver/policy/Judge.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace cudacc::policy {

/// `torch>=2.7.0 (CUDA 12.6)`: from which torch release on PyPI's default wheels bring CUDA
/// \p version or newer of the same major. Empty: no known release does.
std::string firstTorchWith(core::CudaVersion version);

/// `torch>=2.7.0 (CUDA 12.6)`: the first known torch release of CUDA \p major, in its default line,
/// whose libraries satisfy every floor. Empty: none does.
std::string firstTorchServing(llvm::ArrayRef<core::LibraryFloor> floors, unsigned major);

/// A declaration that a toolkit on this machine can build for: `torch==2.11.0` of CUDA 13.0, the
/// newest first; `torch==2.5.1` as an example where there is none.
std::string buildableHere(llvm::ArrayRef<NearbyToolkit> toolkits);

/// `torch 2.4.0 to 2.6.0`: releases of CUDA \p major, in their default lines, that pin an older
/// version of the floor's distribution exactly. Empty: none does.
std::string torchPinningOlder(const core::LibraryFloor &floor, unsigned major);

/// `cuda==12.4` declared it, and no framework, environment or lock: ways out speak of lines too.
bool isDeclaredByLine(const core::Target &target);

/// "raise the runtime to torch>=2.7.0 (CUDA 12.6)": the first known torch release, in its default
/// line, whose libraries satisfy every floor, judged library by library. Only releases of CUDA
/// \p major (0: of the target's) count. Where all that do are of an older major than the target,
/// "lower the runtime to" the last of them. Where a line is declared: "raise the runtime to
/// cuda==12.6". Empty: none does, or a floor is not known.
std::string torchServing(const core::Target &target, llvm::ArrayRef<core::LibraryFloor> floors,
                         unsigned major);

} // namespace cudacc::policy
