// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include "driver/core/ToolchainDirectory.h"
#include "driver/core/Toolkit.h"
#include <string>

namespace cudacc::report {

/// `target.toml` of a toolchain directory, for people and other programs: the declaration, the rows
/// of the target, the toolkit. The directory's compilers read `cuda-cc.facts` instead.
std::string targetToml(const core::ToolchainDirectory &directory, const core::Target &target,
                       const core::Toolkit *toolkit);

} // namespace cudacc::report
