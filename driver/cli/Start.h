// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "driver/core/Invocation.h"
#include "llvm/ADT/StringRef.h"

namespace cudacc::cli {

/// Decides the role, the dialect, launchers and compiler of \p call, whose `args` are the caller's
/// words without argv[0] and without options of ours; the compiler's (or the subcommand's) remain.
/// True when the rest of the line is not to be looked at: a subcommand, a launcher without a
/// compiler (`ccache -s`), or a program beside the compilers (`clang-format`).
bool decideStart(llvm::StringRef argv0, const core::Environment &env, core::Files &files,
                 core::Invocation &call);

} // namespace cudacc::cli
