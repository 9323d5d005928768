// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::commands {

/// Output of `cuda-cc help` and `--cudacc-help`.
std::string help();

/// What `cuda-cc` alone prints on a terminal.
llvm::StringRef shortHelp();

/// The page of a subcommand, printed by `cuda-cc SUBCOMMAND --help`: driver/commands/pages. Empty
/// if there is no page with that name.
llvm::StringRef helpPage(llvm::StringRef subcommand);
/// What the title of the page says behind the name.
llvm::StringRef titleOf(llvm::StringRef subcommand);

} // namespace cudacc::commands
