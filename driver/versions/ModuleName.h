// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace cudacc::versions {

/// The Python that the name of an extension module is for: `3.11` of
/// `_C.cpython-311-x86_64-linux-gnu.so`, `3.13t` of a build without the global lock, `3` of
/// `_C.abi3.so`. Nothing: the name says nothing.
std::optional<std::string> pythonOfModule(llvm::StringRef file);

/// The name of the function that Python calls of an extension module at \p path: `PyInit__C`.
/// Empty: no such name (PEP 489 has another rule for names that are not ASCII).
std::string initFunctionOf(llvm::StringRef path);

} // namespace cudacc::versions
