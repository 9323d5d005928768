// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::policy {

/// `c10::TensorImpl::decref_pyobject() const` of a name mangled after the Itanium C++ ABI. Empty:
/// it is none, or so long or repetitive that its text could exhaust the memory. Only for what is
/// printed: compiles never come here.
std::string demangled(llvm::StringRef symbol);

/// The same in at most \p width columns, for a first line: without parameters, and shortened in the
/// middle; where it cannot be demangled, the symbol.
std::string shortName(llvm::StringRef symbol, size_t width);

} // namespace cudacc::policy
