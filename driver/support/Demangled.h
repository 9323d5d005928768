// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::support {

/// `c10::TensorImpl::decref_pyobject() const`: demangles a name of the Itanium C++ ABI. Empty if it
/// is not mangled, or so long or repetitive that its text could exhaust the memory. Used only for
/// output, never on the path of a successful compile.
std::string demangled(llvm::StringRef symbol);

/// The demangled name in at most \p width columns, for the first line of a message: without
/// parameters, and shortened in the middle. The symbol itself if it cannot be demangled.
std::string shortName(llvm::StringRef symbol, size_t width);

/// Whether the symbol is a mangled name of C++.
inline bool isMangled(llvm::StringRef symbol) { return symbol.starts_with("_Z"); }

/// How titles and tables name a symbol: those of C in full, the others demangled and short. What
/// shows it has the whole symbol below, or in JSON.
std::string nameInTitle(llvm::StringRef symbol);

} // namespace cudacc::support
