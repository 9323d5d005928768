// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/ToolchainDirectory.h"

namespace cudacc::plan {

/// The content of `cuda-cc.facts`: lines of fields, which config::readToolchainDirectory reads.
std::string serialise(const core::ToolchainDirectory &directory);
/// What of it the fingerprint is made of.
std::string identity(const core::ToolchainDirectory &directory);
/// The command that makes the directory again where it lies.
std::string remake(const core::ToolchainDirectory &directory);

} // namespace cudacc::plan
