// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/FoundTorch.h"

namespace cudacc::probe {

/// The string assigned to \p name at the beginning of a line: `__version__ = '2.5.1+cu124'`, `cuda:
/// Optional[str] = '12.4'` (torch 1.13 to 2.15). Empty if there is none or if it is None.
std::string assignedInPython(llvm::StringRef text, llvm::StringRef name);

/// Sets release and label from \p folder, which contains torch's `include` and `lib`: from
/// version.py of a wheel or build-version of the C++ distribution. Returns false if neither exists.
bool readTorchFolder(llvm::StringRef folder, core::Files &files, core::FoundTorch &torch);

/// Reads TORCH_VERSION_MAJOR, _MINOR and _PATCH of a version.h. Returns false if the file does not
/// exist or defines none of them. Sets `problem` if it is cut off or cannot be read.
bool readTorchHeader(const std::string &path, core::Files &files, core::FoundTorch &torch);

/// Reads the headers whose root (`torch/include` of a wheel) is \p root: torch/headeronly/version.h
/// since 2.10, before that torch/version.h in the C++ API's directory, else the files of the
/// directory above. Returns false if none of these states a release.
bool readTorchHeaders(llvm::StringRef root, core::Files &files, core::FoundTorch &torch);

/// The directory of the C++ API below the headers' root; it needs its own -I.
inline constexpr llvm::StringLiteral torchApiFolder = "torch/csrc/api/include";

} // namespace cudacc::probe
