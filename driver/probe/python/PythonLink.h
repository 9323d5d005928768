// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cudacc::probe {

/// Whether the LDFLAGS of a Python put \p folder into the search path of every extension that it
/// builds: pyenv and conda do so with their own library folder. Asked are the Python that the
/// folder belongs to, the one behind the environment at \p prefix (empty: none) and the one on
/// PATH. Nothing: the folder is not on this machine, and neither is the Python that built the file.
std::optional<bool> isAddedByPython(llvm::StringRef folder, llvm::StringRef prefix,
                                    const core::Environment &environment, core::Files &files);

} // namespace cudacc::probe
