// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Invocation.h"
#include "driver/pipeline/System.h"
#include <optional>

namespace cudacc::commands {

/// Answers calls that nvcc would get and can only refuse, and that were hardly meant for it:
/// returns the exit status if there was one, std::nullopt if nvcc gets the call.
/// - Nothing was given, on a terminal: a short help, exit status 1, which is nvcc's.
/// - The first word is no file, but nearly the name of a subcommand: an error that names it.
/// \p argv includes argv[0].
std::optional<int> answerForNvcc(pipeline::System &system, const core::Invocation &call,
                                 llvm::ArrayRef<llvm::StringRef> argv);

} // namespace cudacc::commands
