// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/FoundTorch.h"
#include "driver/probe/toolkit/IncludePath.h"

namespace cudacc::probe {

/// Torch's headers as this call's include path finds them first: the folder that holds `c10`,
/// `ATen` and `torch/csrc` (torch/include of a wheel), and that of the C++ API
/// (torch/csrc/api/include below it), where the two are not of one installation. Headers of torch
/// whose release cannot be read are found, with their `problem`; a project's own folder `torch` is
/// not.
///
/// Cost: one stat per folder, three small files where torch is found.
std::vector<core::FoundTorch> findTorchHeaders(IncludePath &path);

} // namespace cudacc::probe
