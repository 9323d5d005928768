// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "driver/core/Invocation.h"
#include "llvm/ADT/StringRef.h"

namespace cudacc::cli {

/// Determines the role, dialect, launchers and compiler of \p call. On entry `args` has the
/// caller's words without argv[0] and --cudacc- options; on return it has the arguments of the
/// compiler or subcommand. Returns true if the rest of the line must not be parsed: a subcommand, a
/// launcher without a compiler (`ccache -s`), a compiler's companion tool (`clang-format`), or a
/// program of an unknown name (Invocation::isOpen).
bool decideStart(llvm::StringRef argv0, const core::Environment &env, core::Files &files,
                 core::Invocation &call);

} // namespace cudacc::cli
