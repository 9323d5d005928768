// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/config/RuntimeFlags.h"
#include "llvm/Support/JSON.h"
#include <string>

namespace cudacc::commands {

/// As described by docs/schema/config.json.
llvm::json::Value flagsJson(const RuntimeFlags &flags);

/// cflags, libs and rpath on one line, as pkg-config prints them: characters special to the shell
/// are escaped with a backslash, except `$`, `(` and `)`, so that `$(cuda-cc config ...)` passes on
/// $ORIGIN unchanged.
std::string flagLine(const RuntimeFlags &flags);

/// A CMake file that defines an imported target `cuda_cc::NAME` for each library. CMake adds
/// nothing of its own to the search path of files linked with them.
std::string cmakeTargets(const RuntimeFlags &flags);

} // namespace cudacc::commands
