// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/config/RuntimeFlags.h"
#include "llvm/Support/JSON.h"
#include <string>

namespace cudacc::commands {

/// Form in docs/schema/config.json.
llvm::json::Value flagsJson(const RuntimeFlags &flags);

/// The words on one line, cflags, libs, rpath, as pkg-config prints them: what a shell would take
/// apart has a backslash before it, but for `$`, `(` and `)`, so that `$(cuda-cc config ...)` hands
/// $ORIGIN on as it is.
std::string flagLine(const RuntimeFlags &flags);

/// A CMake file that makes an imported target `cuda_cc::NAME` of each library. CMake adds nothing
/// of its own to the search path of what is linked.
std::string cmakeTargets(const RuntimeFlags &flags);

} // namespace cudacc::commands
