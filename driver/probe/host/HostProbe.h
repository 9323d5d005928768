// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/Runner.h"
#include "driver/core/Toolkit.h"

namespace cudacc::probe {

/// Asks the compiler at \p path (absolute) for its search directories: four short processes and one
/// of its linker, when a toolchain directory is made or a compiler is new, never per compile. The
/// variables that add directories are unset, the language is C. A compiler that does not answer
/// like gcc or clang (mpicxx, nvc++) has an empty family and what could be determined. Error:
/// Code::NoCompiler when it cannot be started.
llvm::Expected<core::HostCompiler> probeHostCompiler(llvm::StringRef path, core::Files &files,
                                                     core::Runner &runner);

/// The parts of its answers; exposed for tests.
std::vector<std::string> parseIncludeList(llvm::StringRef answer);
std::vector<std::string> parseLinkerDirs(llvm::StringRef answer);

} // namespace cudacc::probe
