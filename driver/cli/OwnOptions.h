// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Invocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace cudacc::cli {

/// Takes the words that begin with --cudacc- out of \p words (argv[0] not included) and returns the
/// rest.
llvm::Expected<std::vector<llvm::StringRef>> takeOwnOptions(llvm::ArrayRef<llvm::StringRef> words,
                                                            core::OwnOptions &own);

/// Every option of ours, for "did you mean" and for shells: those of settings.def, and
/// `--cudacc-print`, `--cudacc-help` and `--cudacc-no-manifest`.
std::vector<std::string> ownOptionNames();

} // namespace cudacc::cli
