// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/Invocation.h"
#include "driver/core/Plan.h"
#include "driver/pipeline/System.h"
#include "llvm/Support/Error.h"
#include <string>

namespace cudacc::pipeline {

/// Path of the declared launcher's program; empty if \p call gets none. Only compiles get one, as
/// caches and compile farms do nothing for links (R26 d). None is added where the command line has
/// one, or where the launcher started this process and would wait for itself. Errors: NoCompiler.
llvm::Expected<std::string> findLauncher(System &system, const core::Invocation &call,
                                         const core::Declaration &declaration);

/// Puts \p program and the declared launcher's own arguments at the start of \p command.
void launch(const std::string &program, const core::Declaration &declaration,
            core::Command &command);

/// Puts the launchers that the caller wrote at the start of \p command; `NAME=VALUE` arguments
/// (settings of ccache) stay unchanged. Errors: NoCompiler.
llvm::Error launch(System &system, const core::Invocation &call, core::Command &command);

} // namespace cudacc::pipeline
