// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Toolkit.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace cudacc::policy {

/// Finds the toolkits of this machine, to name them in fixes. Called only after a rule failed,
/// because searching is slow.
using LookAround = llvm::function_ref<std::vector<core::FoundToolkit>()>;

/// Whether the toolkit has the parts to build for the ELF \p machine; 0 (not known) is any.
bool buildsFor(const core::FoundToolkit &toolkit, uint16_t machine);

} // namespace cudacc::policy
