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
/// line, whose libraries satisfy every floor. Empty if there is none.
std::string firstTorchServing(llvm::ArrayRef<core::LibraryFloor> floors, unsigned major,
                              Accepts accepts = nullptr);

/// Fixes for users who installed a package that has a file built for another CUDA line, and where
/// they can report the problem.
std::vector<std::string> fixesOfPackage(const std::string &package, versions::CudaVersion line);

/// A declaration that a toolkit on this machine can build for: `torch==2.11.0` for CUDA 13.0; the
/// newest such toolkit counts. Without one: `torch==2.5.1` as an example.
std::string buildableHere(llvm::ArrayRef<core::FoundToolkit> toolkits);

/// `torch 2.4.0 to 2.6.0`: releases of CUDA \p major, in their default lines, that pin exactly a
/// version of the floor's distribution that is older than the floor. Empty if there is none.
std::string torchPinningOlder(const core::LibraryFloor &floor, unsigned major);

/// Whether pip takes the installed \p torch (`2.8.0+cu126`) for \p requirement (`torch==2.8.0`),
/// and so installs nothing, though another build is meant. False for a \p torch that is no version.
bool satisfies(llvm::StringRef torch, llvm::StringRef requirement);

/// `torch==2.8.0` as arguments of `pip install`, with `--force-reinstall` if the installed \p torch
/// satisfies it.
std::string pipArguments(llvm::StringRef torch, llvm::StringRef requirement);

/// The version of a wheel that the installed torch pins exactly; empty if none.
std::string pinnedByTorch(const core::Target &installed, llvm::StringRef dist);

/// The version to install of a wheel that is missing: the one that torch requires, else the one of
/// the newest toolkit release of \p line. Empty if none is known.
std::string versionFor(const core::Target &installed, llvm::StringRef dist,
                       versions::CudaVersion line);

/// `pip install nvidia-cusparse==12.6.3.3`: a wheel that the environment lacks, in versionFor().
std::string installing(const core::Target &installed, llvm::StringRef dist);

/// `pip install --force-reinstall --no-deps nvidia-cusparse==12.6.3.3`: the wheel of a library
/// whose file is not the one that was installed. pip has to be forced, because the metadata claims
/// that it is there.
std::string reinstalling(const core::TargetLibrary &library);

/// The runtime was declared as a CUDA line (`cuda==12.4`), without framework, environment or lock
/// file; fixes then name CUDA lines too.
bool isDeclaredByLine(const core::Target &target);

/// A fix that declares another runtime.
struct RuntimeFix {
  /// "raise the runtime to torch>=2.7.0,<2.11 (CUDA 12.6)".
  std::string text;
  /// The fix for users who install the file and do not build it: "pip install 'torch<2.11'". Empty
  /// if pip cannot install that runtime.
  std::string pip;
};

/// The first known torch release, in its default line, whose libraries satisfy every floor;
/// compared library by library. Only releases of CUDA \p major (0: the target's) are considered. If
/// all that satisfy the floors are of an older line than the target: "lower the runtime to" the
/// newest of them. If the runtime was declared as a CUDA line: "raise the runtime to cuda==12.6".
/// std::nullopt if no runtime satisfies the floors or a floor is not known.
std::optional<RuntimeFix> runtimeServing(const core::Target &target,
                                         llvm::ArrayRef<core::LibraryFloor> floors, unsigned major,
                                         Accepts accepts = nullptr);

/// "raise the runtime to torch>=2.7.0,<2.11 (CUDA 12.6)", "lower the runtime to cuda==12.9": a
/// runtime that reaches CUDA \p version. Empty if none is accepted.
std::string runtimeWith(const core::Target &target, versions::CudaVersion version, Accepts accepts);

} // namespace cudacc::policy
