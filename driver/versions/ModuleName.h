// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace cudacc::versions {

/// Whether the name is that of a shared object: `libx.so`, `libx.so.1`, `_C.abi3.so`.
bool isSharedObjectName(llvm::StringRef file);
/// Whether it is that of a library: `libx.so`, `libx.so.1`, not `_C.abi3.so`.
bool isLibraryName(llvm::StringRef file);

/// The Python version in the name of an extension module: `3.11` for
/// `_C.cpython-311-x86_64-linux-gnu.so`, `3.13t` for a free-threaded build, `3` for a stable ABI.
/// std::nullopt if the name has none.
std::optional<std::string> pythonOfModule(llvm::StringRef file);

/// The stable ABI in the name of an extension module: `abi3` of `_C.abi3.so`, `abi3t` of
/// `_C.abi3t.so` (PEP 803: for Python 3.15 and newer, free-threaded or not), both with or without
/// a machine (`_C.abi3-x86_64-linux-gnu.so`, since 3.15). Empty if the name has none.
llvm::StringRef stableAbiOf(llvm::StringRef file);

/// The init function that Python calls in the extension module at \p path: `PyInit__C`. Empty for
/// names that are not ASCII (PEP 489 has another rule for them).
std::string initFunctionOf(llvm::StringRef path);

} // namespace cudacc::versions
