// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::report {

/// A quoted CMake argument; `;` is escaped, as it separates list items. \p dollar replaces `$`.
std::string quotedForCMake(llvm::StringRef text, llvm::StringRef dollar);

} // namespace cudacc::report
