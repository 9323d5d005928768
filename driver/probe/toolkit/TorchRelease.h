// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/FoundTorch.h"

namespace cudacc::probe {

/// The string that the text gives to a name at the beginning of a line: `__version__ =
/// '2.5.1+cu124'`, `cuda: Optional[str] = '12.4'` (torch 1.13 to 2.15). Empty: none, or None.
std::string assignedInPython(llvm::StringRef text, llvm::StringRef name);

/// Release and label from what lies in \p folder, which holds torch's `include` and `lib`:
/// version.py of a wheel, build-version of the C++ distribution. False: neither is there.
bool readTorchFolder(llvm::StringRef folder, core::Files &files, core::FoundTorch &torch);

/// What TORCH_VERSION_MAJOR, _MINOR and _PATCH of a version.h say. False: it is not there, or has
/// none of them. One that is cut off, or of which nothing can be read, is a problem.
bool readTorchHeader(const std::string &path, core::Files &files, core::FoundTorch &torch);

/// The headers whose root (`torch/include` of a wheel) is \p root: torch/headeronly/version.h since
/// 2.10, torch/version.h before, in the C++ API's own folder; else what lies above them. False:
/// nothing says a release.
bool readTorchHeaders(llvm::StringRef root, core::Files &files, core::FoundTorch &torch);

/// The C++ API's own folder under the root of the headers; it is an -I of its own.
inline constexpr llvm::StringLiteral torchApiFolder = "torch/csrc/api/include";

} // namespace cudacc::probe
