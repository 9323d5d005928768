// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/Arguments.h"
#include "driver/config/Config.h"
#include "driver/core/Target.h"
#include "driver/pipeline/System.h"

namespace cudacc::commands {

/// The declaration in effect for this call; see config::readDeclaration.
llvm::Expected<core::Declaration> readDeclaration(pipeline::System &system,
                                                  const Arguments &arguments,
                                                  llvm::StringRef from = "",
                                                  config::SearchNotes *notes = nullptr);

/// As readDeclaration, for subcommands with `--runtime`, whose requirements come first. Errors:
/// Usage if nothing is declared, with \p example as the fix.
llvm::Expected<core::Declaration> requireDeclaration(pipeline::System &system,
                                                     const Arguments &arguments,
                                                     llvm::StringRef example,
                                                     config::SearchNotes *notes = nullptr);

/// withRuntime returns the options with `--runtime` in front of other requirements; nameRuntime
/// then records that option as the origin of those requirements.
core::OwnOptions withRuntime(const Arguments &arguments);
void nameRuntime(const Arguments &arguments, core::Declaration &declaration);

/// Splits \p text at `;`.
std::vector<core::Setting<std::string>> requirementsIn(llvm::StringRef text,
                                                       const core::Origin &origin);
/// The requirements of \p declaration joined by `;`.
std::string runtimeName(const core::Declaration &declaration);

/// Resolves \p declaration, for calls that resolve only one.
llvm::Expected<core::Target> resolveOnce(pipeline::System &system,
                                         const core::Declaration &declaration);

} // namespace cudacc::commands
