// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/ToolchainDirectory.h"

namespace cudacc::plan {

/// The content of `cuda-cc.facts`: lines of fields, parsed by config::readToolchainDirectory.
std::string serialise(const core::ToolchainDirectory &directory);
/// The part of it that the fingerprint is computed from.
std::string identity(const core::ToolchainDirectory &directory);
/// The command that makes the directory again in its place.
std::string remake(const core::ToolchainDirectory &directory);

} // namespace cudacc::plan
