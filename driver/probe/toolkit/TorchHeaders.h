// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/FoundTorch.h"
#include "driver/probe/toolkit/IncludePath.h"

namespace cudacc::probe {

/// Finds torch's headers that come first on this call's include path: the directory that contains
/// `c10`, `ATen` and `torch/csrc` (torch/include of a wheel), and that of the C++ API
/// (torch/csrc/api/include below it) if it is from another installation. Torch headers whose
/// release cannot be read are returned with `problem` set; a project's own directory `torch` is not
/// returned.
///
/// Cost: one stat per directory, and three small files if torch is found.
std::vector<core::FoundTorch> findTorchHeaders(IncludePath &path);

} // namespace cudacc::probe
