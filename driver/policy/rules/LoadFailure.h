// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/Diagnostic.h"
#include "driver/core/LoadResult.h"
#include <optional>

namespace cudacc::policy {

/// Why a file that the loader found cannot be loaded: truncated (CC4123), on a file system mounted
/// noexec (CC4124), not a shared library (CC4125). std::nullopt if loading succeeded or no such
/// file was found.
std::optional<core::Finding> fileFailure(const core::LoadResult &load);

/// A file that is not a shared library despite its name: debug information only, or an executable
/// named like an extension module (CC4125). std::nullopt for any other file.
std::optional<core::Finding> kindFailure(const core::BinaryFacts &file);

/// Debug information with a name of its own (`libx.so.debug`), which the loader is never asked for.
bool isForDebuggers(const core::BinaryFacts &file);

/// An extension module without an init function for Python (CC4126). \p isImported: the user asked
/// about its import; otherwise it is a warning, since it may be loaded in another way.
core::Finding lacksInitFunction(llvm::StringRef path, llvm::StringRef function, bool isImported);
/// Python's error message for it.
std::string lacksInitFunctionWords(llvm::StringRef function);

} // namespace cudacc::policy
