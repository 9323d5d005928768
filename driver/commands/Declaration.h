// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/Arguments.h"
#include "driver/config/Config.h"
#include "driver/core/Target.h"
#include "driver/pipeline/System.h"

namespace cudacc::commands {

/// What is declared for this call, as config::readDeclaration has it.
llvm::Expected<core::Declaration> readDeclaration(pipeline::System &system,
                                                  const Arguments &arguments,
                                                  llvm::StringRef from = "",
                                                  config::SearchNotes *notes = nullptr);

/// The same for a subcommand that takes `--runtime`, which goes before all others. Error: Usage
/// where nothing is declared; \p example is the fix.
llvm::Expected<core::Declaration> requireDeclaration(pipeline::System &system,
                                                     const Arguments &arguments,
                                                     llvm::StringRef example,
                                                     config::SearchNotes *notes = nullptr);

/// The options with `--runtime` in front of other requirements. nameRuntime then makes that option
/// the origin of what was read.
core::OwnOptions withRuntime(const Arguments &arguments);
void nameRuntime(const Arguments &arguments, core::Declaration &declaration);

/// The requirements of \p text, which `;` separates.
std::vector<core::Setting<std::string>> requirementsIn(llvm::StringRef text,
                                                       const core::Origin &origin);
/// The requirements of \p declaration as one text.
std::string runtimeName(const core::Declaration &declaration);

/// The target of a call that resolves one declaration.
llvm::Expected<core::Target> resolveOnce(pipeline::System &system,
                                         const core::Declaration &declaration);

/// Toolkits of this machine, which takes long to look for.
std::vector<core::FoundToolkit> nearbyToolkits(pipeline::System &system);
/// A declaration that a toolkit on this machine can build for, for fixes.
std::string runtimeForHere(pipeline::System &system);

} // namespace cudacc::commands
