// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cudacc::probe {

/// Whether the LDFLAGS of a Python add \p folder to the RPATH or RUNPATH of every extension it
/// builds, as those of pyenv and conda do with their own library directory. Checks the Python that
/// the directory belongs to, the one of the environment at \p prefix (empty: none) and its base,
/// and the one on PATH. Returns std::nullopt if none does and the directory is not on this machine:
/// then the Python that built the file is not here either.
std::optional<bool> isAddedByPython(llvm::StringRef folder, llvm::StringRef prefix,
                                    const core::Environment &environment, core::Files &files);

} // namespace cudacc::probe
