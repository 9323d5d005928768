// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/pipeline/Found.h"

namespace cudacc::pipeline {

/// Reads what the link of \p call names and what it needs beside that. \p directory: the toolchain
/// directory whose libraries the linker finds too, or null; \p host: null, it did not answer.
LinkSurroundings findSurroundings(System &system, cache::Store &store, const Call &call,
                                  const core::Target &target,
                                  const core::ToolchainDirectory *directory,
                                  const core::HostCompiler *host);

} // namespace cudacc::pipeline
