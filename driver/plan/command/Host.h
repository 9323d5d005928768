// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Invocation.h"
#include "driver/core/Plan.h"
#include <string>

namespace cudacc::plan {

/// Plans a host compile. \p recordHeader is added by -include behind the caller's own forced
/// headers, as one of those may be precompiled (EM-1); empty for none.
core::Plan planHostCompile(const core::Invocation &call, core::Command command,
                           const std::string &recordHeader);

} // namespace cudacc::plan
