// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/Invocation.h"
#include "driver/core/Runner.h"
#include "driver/core/Toolkit.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cudacc::probe {

/// Asks the compiler at \p path (absolute) for its search directories. This runs four short
/// compiler processes and one of its linker, so it is done only when a toolchain directory is
/// created or a compiler is new, never per compile. Variables that add search directories are unset
/// and the locale is C. For a compiler that does not answer like gcc or clang (mpicxx, nvc++),
/// `family` is empty and only the fields that could be determined are set. Errors: Code::NoCompiler
/// if the compiler cannot be started.
llvm::Expected<core::HostCompiler> probeHostCompiler(llvm::StringRef path, core::Files &files,
                                                     core::Runner &runner);

/// Parse the compiler's and linker's answers; exposed for tests.
std::vector<std::string> parseIncludeList(llvm::StringRef answer);
std::vector<std::string> parseLinkerDirs(llvm::StringRef answer);

/// The dialect of the compiler that answers \p text to --version; std::nullopt for other programs.
std::optional<core::Dialect> dialectOfAnswer(llvm::StringRef text);

} // namespace cudacc::probe
