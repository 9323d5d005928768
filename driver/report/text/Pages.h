// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"

namespace cudacc::report {

/// The page in docs/codes for a code, as printed by `cuda-cc explain`, with a final newline. Empty
/// if there is none.
llvm::StringRef page(core::Code code);

} // namespace cudacc::report
