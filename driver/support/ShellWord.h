// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::support {

/// A word for sh and csh: in single quotes where it needs them.
std::string shellWord(llvm::StringRef word);

} // namespace cudacc::support
