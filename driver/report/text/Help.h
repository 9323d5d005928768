// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::report {

/// Output of `cuda-cc help` and `--cudacc-help`.
std::string help();

/// What `cuda-cc` alone prints on a terminal.
llvm::StringRef shortHelp();

/// The help page of one subcommand.
struct HelpPage {
  llvm::StringLiteral name, text;
};
llvm::ArrayRef<HelpPage> helpPages();
/// Empty if there is no page with that name.
llvm::StringRef help(llvm::StringRef subcommand);

} // namespace cudacc::report
