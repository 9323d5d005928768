// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/Arguments.h"
#include "driver/core/Diagnostic.h"
#include "driver/pipeline/Colours.h"
#include "driver/pipeline/System.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

/// Runs the subcommand of \p call; exit status.
int run(pipeline::System &system, const core::Invocation &call,
        const core::ToolchainDirectory *directory);
/// \p status of a call that has printed all it has to say, unless stdout could not be written: then
/// that is reported, and the status is 4.
int checkOutput(pipeline::System &system, int status);

/// Works without what a toolchain directory declares, as `trust`, which is the way on.
bool asksNoDeclaration(llvm::StringRef tool);

/// Prints the finding; its exit status.
int failWith(pipeline::System &system, const core::Finding &finding);

/// Subcommands: each returns its exit status. Error: what is printed instead of an answer.
llvm::Expected<int> audit(pipeline::System &system, const Arguments &arguments);
llvm::Expected<int> check(pipeline::System &system, const Arguments &arguments);
llvm::Expected<int> config(pipeline::System &system, const Arguments &arguments);
llvm::Expected<int> doctor(pipeline::System &system, const Arguments &arguments);
llvm::Expected<int> explain(pipeline::System &system, const Arguments &arguments);
llvm::Expected<int> init(pipeline::System &system, const Arguments &arguments);
llvm::Expected<int> inspect(pipeline::System &system, const Arguments &arguments);
llvm::Expected<int> target(pipeline::System &system, const Arguments &arguments);
llvm::Expected<int> toolchain(pipeline::System &system, const Arguments &arguments);
llvm::Expected<int> trace(pipeline::System &system, const Arguments &arguments);
llvm::Expected<int> trust(pipeline::System &system, const Arguments &arguments);

} // namespace cudacc::commands
