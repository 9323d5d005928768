// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/Runner.h"
#include "plugins/audit/BuildModel.h"
#include "plugins/cmake/Build.h"
#include "plugins/cmake/Cache.h"
#include "llvm/Support/Error.h"

namespace cudacc::cmake {

/// Reads the commands of a Ninja build, as `ninja -t commands` prints them, one call per
/// configuration. Errors: SpawnFailed; UnreadableFile with Ninja's message, or if no Ninja may be
/// started.
llvm::Error readNinja(core::Files &files, core::Runner &runner, const Cache &cache,
                      const TrustedTools &around, audit::BuildModel &model);

/// Reads the commands of a Makefiles build: `link.txt` and `dlink.txt` with their response files,
/// and the recipes of `build.make`, in every folder of CMakeFiles/TargetDirectories.txt. Reads none
/// if all folders listed there belong to another build directory.
llvm::Error readMakefiles(core::Files &files, audit::BuildModel &model);

/// Reads from the cmake_install.cmake files how the installation changes search paths.
llvm::Error readInstallScripts(core::Files &files, audit::BuildModel &model);

} // namespace cudacc::cmake
