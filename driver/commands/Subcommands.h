// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/Arguments.h"
#include "driver/core/Diagnostic.h"
#include "driver/pipeline/Colours.h"
#include "driver/pipeline/System.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

struct Subcommand {
  llvm::StringLiteral name;
  llvm::Expected<int> (*run)(pipeline::System &system, const Arguments &arguments);
  /// The words that it takes, as values (Arguments.h); empty if it takes none.
  llvm::StringLiteral words;
  bool needsDeclaration = true;
};

/// Those of this version, sorted.
llvm::ArrayRef<Subcommand> subcommands();
/// Null if there is none of that name.
const Subcommand *subcommandOf(llvm::StringRef name);

/// Runs the subcommand of \p call and returns its exit status.
int run(pipeline::System &system, const core::Invocation &call,
        const core::ToolchainDirectory *directory);
/// Returns \p status if all output reached stdout; otherwise reports the error and returns 4.
int checkOutput(pipeline::System &system, int status);

/// Whether \p tool runs without the declaration of a toolchain directory: `trust` must work in one
/// that is refused.
bool asksNoDeclaration(llvm::StringRef tool);

/// Prints the finding and returns its exit status.
int failWith(pipeline::System &system, const core::Finding &finding);

/// Subcommands. Each returns its exit status; an error is printed instead of a result.
llvm::Expected<int> audit(pipeline::System &system, const Arguments &arguments);
llvm::Expected<int> check(pipeline::System &system, const Arguments &arguments);
llvm::Expected<int> completion(pipeline::System &system, const Arguments &arguments);
llvm::Expected<int> config(pipeline::System &system, const Arguments &arguments);
llvm::Expected<int> doctor(pipeline::System &system, const Arguments &arguments);
llvm::Expected<int> explain(pipeline::System &system, const Arguments &arguments);
llvm::Expected<int> init(pipeline::System &system, const Arguments &arguments);
llvm::Expected<int> inspect(pipeline::System &system, const Arguments &arguments);
llvm::Expected<int> link(pipeline::System &system, const Arguments &arguments);
llvm::Expected<int> matrix(pipeline::System &system, const Arguments &arguments);
llvm::Expected<int> target(pipeline::System &system, const Arguments &arguments);
llvm::Expected<int> toolchain(pipeline::System &system, const Arguments &arguments);
llvm::Expected<int> trace(pipeline::System &system, const Arguments &arguments);
llvm::Expected<int> trust(pipeline::System &system, const Arguments &arguments);
llvm::Expected<int> wheel(pipeline::System &system, const Arguments &arguments);

} // namespace cudacc::commands
