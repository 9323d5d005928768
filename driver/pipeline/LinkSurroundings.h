// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/pipeline/Found.h"

namespace cudacc::pipeline {

/// Reads the libraries that the link of \p call names and those that they need. \p directory: the
/// toolchain directory whose libraries the linker also finds, or null. \p host is null if the host
/// compiler could not be probed.
LinkSurroundings findSurroundings(System &system, cache::Store &store, const Call &call,
                                  const core::Target &target,
                                  const core::ToolchainDirectory *directory,
                                  const core::HostCompiler *host);

} // namespace cudacc::pipeline
