// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/Runner.h"
#include "plugins/audit/Audit.h"
#include "llvm/Support/Error.h"

namespace cudacc::meson {

/// Whether Meson configured that directory, or tried to.
bool isBuild(core::Files &files, llvm::StringRef build);

/// A build directory of Meson 1.0 and later: what Meson says of it (meson-info), and with the Ninja
/// backend its commands. Of other backends those are not read: `hasCommands` is false. \p build is
/// absolute; \p ninja as it is started, empty: there is none. Errors: BrokenDescription,
/// UnreadableFile, LimitReached, SpawnFailed.
llvm::Expected<audit::BuildModel> readBuild(core::Files &files, core::Runner &runner,
                                            llvm::StringRef build, llvm::StringRef ninja);

/// How a Meson build is mended. \p directory: a toolchain directory; empty: none is known,
/// and what can do without one names \p program, cuda-cc itself.
std::vector<std::string> fixes(audit::Remedy remedy, llvm::StringRef build,
                               llvm::StringRef directory, llvm::StringRef program);

} // namespace cudacc::meson
