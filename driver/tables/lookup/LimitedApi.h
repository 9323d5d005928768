// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cudacc::tables {

/// A name as CPython exports them: `PyList_New`, `_Py_Dealloc`, `Py_BuildValue`. Other libraries
/// may have such names as well.
bool isPythonName(llvm::StringRef symbol);

/// The 3.X since which a name is in CPython's stable ABI on Linux; nothing: no version known here
/// has it there.
std::optional<unsigned> limitedApiSince(llvm::StringRef symbol);

} // namespace cudacc::tables
