// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::policy {

/// Replaces `pip install` in fixes by \p command, which installs into the environment that the
/// findings are about, and `pip uninstall -y` by its counterpart: a bare pip may be another
/// environment's. Commands that make a folder of their own (`--target`) stay.
void nameInstaller(llvm::StringRef command, llvm::MutableArrayRef<core::Finding> findings);
void nameInstaller(llvm::StringRef command, std::vector<std::string> &fixes);

/// Whether a fix has a command that nameInstaller() would replace.
bool namesInstaller(llvm::ArrayRef<core::Finding> findings);

} // namespace cudacc::policy
