// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/Runner.h"
#include "plugins/audit/BuildModel.h"
#include "plugins/cmake/Build.h"
#include "plugins/cmake/Cache.h"
#include "llvm/Support/Error.h"

namespace cudacc::cmake {

/// The commands of a build that Ninja runs, as `ninja -t commands` prints them, one question for
/// each configuration. Error: SpawnFailed, UnreadableFile with what Ninja says, or that there is
/// none which may be started.
llvm::Error readNinja(core::Files &files, core::Runner &runner, const Cache &cache,
                      const Surroundings &around, audit::BuildModel &model);

/// Those of Makefiles: `link.txt`, `dlink.txt` with their response files, and the recipes of
/// `build.make`, of every folder in CMakeFiles/TargetDirectories.txt. No commands where it names
/// folders and none is of this build.
llvm::Error readMakefiles(core::Files &files, audit::BuildModel &model);

/// What installing does to search paths, from the cmake_install.cmake files.
llvm::Error readInstallScripts(core::Files &files, audit::BuildModel &model);

} // namespace cudacc::cmake
