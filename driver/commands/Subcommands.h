// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/Option.h"
#include "driver/core/Diagnostic.h"
#include "driver/pipeline/Colours.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

/// A row of subcommands.def.
struct Subcommand {
  llvm::StringLiteral name, form, words;
  bool needsDeclaration;
  const SubcommandBody *body;
};

/// The bodies, `auditSubcommand` and so on.
#define CUDACC_SUBCOMMAND(name, ...) extern const SubcommandBody name##Subcommand;
#include "driver/cli/subcommands.def"

/// Those of this version, sorted.
llvm::ArrayRef<Subcommand> subcommands();
/// Null if there is none of that name.
const Subcommand *subcommandOf(llvm::StringRef name);
/// The options of a subcommand, without `--help`.
std::vector<OptionInfo> optionsOf(llvm::StringRef tool);

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

} // namespace cudacc::commands
