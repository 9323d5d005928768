// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/Runner.h"
#include "plugins/audit/Audit.h"
#include "llvm/Support/Error.h"

namespace cudacc::meson {

/// True if Meson configured that directory, or tried to.
bool isBuild(core::Files &files, llvm::StringRef build);

/// Reads a build directory of Meson 1.0 and later: meson-info and, with the Ninja backend, the
/// commands. For other backends `hasCommands` is false. \p build is absolute; \p ninja is the
/// program to start, or empty if there is none. Errors: BrokenDescription, UnreadableFile,
/// LimitReached, SpawnFailed.
llvm::Expected<audit::BuildModel> readBuild(core::Files &files, core::Runner &runner,
                                            llvm::StringRef build, llvm::StringRef ninja);

/// The fixes for a Meson build. \p directory: a toolchain directory, or empty if none is known;
/// fixes that need none then name \p program, cuda-cc itself.
std::vector<std::string> fixes(audit::FixKind remedy, llvm::StringRef tree,
                               llvm::StringRef directory, llvm::StringRef program);

} // namespace cudacc::meson
