// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::cache {

/// The variables that change what `nvcc --dryrun` prints, or what its commands do, as text.
std::string variablesOfNvcc(const core::Environment &environment);
/// Those that change what the commands do. Programs that PATH leads to are compared as files.
std::string variablesOfSteps(const core::Environment &environment);

/// All variables but those that say nothing about what a program does, as text.
std::string allVariables(const core::Environment &environment);
/// True if \p program reads no other variables than variablesOfSteps() has: it is a known program,
/// and no script.
bool readsKnownVariables(core::Files &files, llvm::StringRef program);

} // namespace cudacc::cache
