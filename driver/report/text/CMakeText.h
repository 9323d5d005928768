// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::report {

/// A quoted argument of CMake; `;` would divide a list. \p dollar stands for `$`.
std::string quotedForCMake(llvm::StringRef text, llvm::StringRef dollar);

} // namespace cudacc::report
