// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::support {

/// Quotes a word for sh and csh, with single quotes if needed.
std::string shellWord(llvm::StringRef word);

} // namespace cudacc::support
