// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include "driver/versions/Requirement.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::policy {

/// The rows that an installer adds to a runtime from tables, because a wheel has these requirements
/// as well: the libraries of NVIDIA's wheels of which the runtime has no version (cuDNN beside
/// `cuda==12.4`), in the lowest version that the requirements allow, and what these NEED in turn.
/// Requirements that may not apply, and wheels of another CUDA major, are left out. Empty for an
/// environment: it has what is installed.
std::vector<core::TargetLibrary> broughtBeside(const core::Target &target,
                                               llvm::ArrayRef<versions::Requirement> requirements);

void addRows(core::Target &target, std::vector<core::TargetLibrary> rows);

} // namespace cudacc::policy
