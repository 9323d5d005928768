// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::report {

/// What `cuda-cc help` and `--cudacc-help` print.
std::string help();

/// The page of one subcommand.
struct HelpPage {
  llvm::StringLiteral name, text;
};
llvm::ArrayRef<HelpPage> helpPages();
/// Empty: there is no page of that name.
llvm::StringRef help(llvm::StringRef subcommand);

} // namespace cudacc::report
