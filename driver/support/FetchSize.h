// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/FetchPlan.h"

namespace cudacc::support {

/// Sum over the parts; 0 if one is not known.
uint64_t totalOf(const core::FetchPlan &plan, uint64_t core::FetchPart::*member);
bool hasArchives(const core::FetchPlan &plan);
/// `5 files, 104.5 MB (273.3 MB unpacked)`; sizes that are not known are left out.
std::string sizeText(const core::FetchPlan &plan);

} // namespace cudacc::support
