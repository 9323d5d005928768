// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/Invocation.h"
#include "driver/core/Plan.h"
#include "driver/pipeline/System.h"
#include "llvm/Support/Error.h"
#include <string>

namespace cudacc::pipeline {

/// The declared launcher's program where \p call gets it; empty: it gets none. A cache or a farm is
/// of use to a compile alone (R26 d); one on the line stays the only one, and one that started this
/// process would wait for itself. Error: NoCompiler.
llvm::Expected<std::string> findLauncher(System &system, const core::Invocation &call,
                                         const core::Declaration &declaration);

/// Begins \p command with \p program and the declared words of its own.
void launch(const std::string &program, const core::Declaration &declaration,
            core::Command &command);

/// Begins \p command with the launchers that the caller wrote; ccache's settings stay as they are.
/// Error: NoCompiler.
llvm::Error launch(System &system, const core::Invocation &call, core::Command &command);

} // namespace cudacc::pipeline
