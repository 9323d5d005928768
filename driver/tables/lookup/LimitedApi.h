// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cudacc::tables {

/// Whether a name looks like one exported by CPython: `PyList_New`, `_Py_Dealloc`, `Py_BuildValue`.
/// Other libraries may have such names, too.
bool isPythonName(llvm::StringRef symbol);

/// The X of the 3.X that added a name to CPython's stable ABI on Linux. std::nullopt if no known
/// version has it there.
std::optional<unsigned> limitedApiSince(llvm::StringRef symbol);

} // namespace cudacc::tables
