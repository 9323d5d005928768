// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::ninja {

/// What stands for process and number in `tmpxft_PROCESS_NUMBER-`, so that names stay the same.
inline constexpr llvm::StringLiteral stablePrefix = "tmpxft_00000000_00000000-";

/// `a.cpp4.ii` of nvcc's temporary file `/tmp/tmpxft_00001234_00000000-5_a.cpp4.ii`; empty if \p
/// path is not one.
llvm::StringRef temporaryIn(llvm::StringRef path);

/// \p name without the architectures that nvcc puts into it if there are several.
std::string withoutArchs(llvm::StringRef name);

/// \p tag before the last dot of \p name.
std::string tagged(llvm::StringRef name, llvm::StringRef tag);

} // namespace cudacc::ninja
