// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace cudacc::support {

/// The value of PATH, or execvp's default if it is not set. An empty value is one empty element.
llvm::StringRef programPath(const core::Environment &environment);

/// The folders in which execvp searches for a program name, in order. An empty element of PATH
/// means the working directory and is returned as ".".
llvm::SmallVector<llvm::StringRef, 16> programFolders(const core::Environment &environment);

/// Calls \p take with each `FOLDER/name` that is an executable file, in the order of execvp, until
/// it returns true. The path is relative if the element of PATH is.
bool searchProgram(llvm::StringRef name, const core::Environment &environment, core::Files &files,
                   llvm::function_ref<bool(const std::string &)> take);

/// The file that execvp would run: \p name itself if it has a slash, else the first on PATH. Empty
/// if there is none.
std::string findProgram(llvm::StringRef name, const core::Environment &environment,
                        core::Files &files);

} // namespace cudacc::support
