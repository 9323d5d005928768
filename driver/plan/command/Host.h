// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Invocation.h"
#include "driver/core/Plan.h"
#include <string>

namespace cudacc::plan {

/// A compile by a host compiler that ends in exec. \p recordHeader is forced in behind the caller's
/// own forced headers, a precompiled one among them (EM-1); empty: none.
core::Plan planHostCompile(const core::Invocation &call, core::Command command,
                           const std::string &recordHeader);

} // namespace cudacc::plan
