// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"

namespace cudacc::run {

/// The text of \p error (errno) as glibc's strerror has it: the compilers and the loader print that
/// one, and the program's own libc has other words for some.
llvm::StringRef errorText(int error);

} // namespace cudacc::run
