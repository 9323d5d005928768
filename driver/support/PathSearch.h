// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace cudacc::support {

/// What PATH says; where it is not set, the default of execvp. Set and empty is one empty element.
llvm::StringRef programPath(const core::Environment &environment);

/// The folders that execvp searches for a program by its name, in their order. An empty element of
/// PATH is the working directory, "." here.
llvm::SmallVector<llvm::StringRef, 16> programFolders(const core::Environment &environment);

/// Calls \p take with each `FOLDER/name` that is an executable file, as execvp would try them,
/// until it returns true. The path is relative where the element of PATH is.
bool searchPath(llvm::StringRef name, const core::Environment &environment, core::Files &files,
                llvm::function_ref<bool(const std::string &)> take);

/// As execvp finds it: \p name itself where it has a slash, else the first on PATH; empty: nowhere.
std::string findProgram(llvm::StringRef name, const core::Environment &environment,
                        core::Files &files);

} // namespace cudacc::support
