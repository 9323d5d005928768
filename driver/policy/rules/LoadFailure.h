// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/Diagnostic.h"
#include "driver/core/LoadResult.h"
#include <optional>

namespace cudacc::policy {

/// What is wrong with a file that the loader found and cannot take: truncated (CC4123), on a file
/// system that is mounted noexec (CC4124), no library (CC4125). Nothing: the load went well, or no
/// such file was found.
std::optional<core::Finding> fileFailure(const core::LoadResult &load);

/// A file that is no library although its name says that it is: debug information only, or a
/// program under the name of an extension module (CC4125). Nothing: another file.
std::optional<core::Finding> kindFailure(const core::BinaryFacts &file);

/// Debug information under a name of its own (`libx.so.debug`), which no loader is asked for.
bool isForDebuggers(const core::BinaryFacts &file);

/// An extension module that has no function for Python to call (CC4126). \p isImported: its import
/// was asked about; else something else may load it, and it is a warning.
core::Finding lacksInitFunction(llvm::StringRef path, llvm::StringRef function, bool isImported);
/// What Python says of it.
std::string lacksInitFunctionWords(llvm::StringRef function);

} // namespace cudacc::policy
