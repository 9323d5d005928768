// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"

namespace cudacc::report {

/// The page of docs/codes about a code, as it is printed by `cuda-cc explain`; it ends in a
/// newline. Empty: there is none.
llvm::StringRef page(core::Code code);

} // namespace cudacc::report
