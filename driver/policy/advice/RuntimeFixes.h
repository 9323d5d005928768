// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/LibraryFloor.h"
#include "driver/core/Target.h"
#include "driver/policy/advice/LookAround.h"
#include "driver/policy/advice/RuntimeSubstitute.h"
#include "driver/versions/CudaVersion.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>

namespace cudacc::policy {

/// `torch>=2.7.0,<2.11 (CUDA 12.6)`: the first known torch release of CUDA \p major, in its default
/// line, whose libraries satisfy every floor. Empty: none does.
std::string firstTorchServing(llvm::ArrayRef<core::LibraryFloor> floors, unsigned major,
                              Accepts accepts = nullptr);

/// What who installed a package can do about a file of it that was built for another CUDA, and whom
/// they can ask.
std::vector<std::string> fixesOfPackage(const std::string &package, versions::CudaVersion line);

/// A declaration that a toolkit on this machine can build for: `torch==2.11.0` of CUDA 13.0, the
/// newest first; `torch==2.5.1` as an example where there is none.
std::string buildableHere(llvm::ArrayRef<core::FoundToolkit> toolkits);

/// `torch 2.4.0 to 2.6.0`: releases of CUDA \p major, in their default lines, that pin an older
/// version of the floor's distribution exactly. Empty: none does.
std::string torchPinningOlder(const core::LibraryFloor &floor, unsigned major);

/// `cuda==12.4` declared it, and no framework, environment or lock: fixes speak of lines too.
bool isDeclaredByLine(const core::Target &target);

/// Another runtime, as it is declared.
struct RuntimeFix {
  /// "raise the runtime to torch>=2.7.0,<2.11 (CUDA 12.6)".
  std::string text;
  /// As who only installs gets it: "pip install 'torch<2.11'"; empty: pip does not bring it.
  std::string pip;
};

/// The first known torch release, in its default line, whose libraries satisfy every floor, judged
/// library by library. Only releases of CUDA \p major (0: of the target's) count. Where all that
/// do are of an older line than the target, "lower the runtime to" the last of them. Where a line
/// is declared: "raise the runtime to cuda==12.6". Nothing: none does, or a floor is not known.
std::optional<RuntimeFix> runtimeServing(const core::Target &target,
                                         llvm::ArrayRef<core::LibraryFloor> floors, unsigned major,
                                         Accepts accepts = nullptr);

/// "raise the runtime to torch>=2.7.0,<2.11 (CUDA 12.6)", "lower the runtime to cuda==12.9": one
/// that reaches CUDA \p version. Empty: none is accepted.
std::string runtimeWith(const core::Target &target, versions::CudaVersion version, Accepts accepts);

} // namespace cudacc::policy
