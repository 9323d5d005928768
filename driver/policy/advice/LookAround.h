// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Toolkit.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace cudacc::policy {

/// The toolkits of this machine, for fixes. Called only after a rule failed, because searching for
/// them is slow.
using LookAround = llvm::function_ref<std::vector<core::FoundToolkit>()>;

} // namespace cudacc::policy
