// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/ToolkitTree.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace cudacc::probe {

/// The program that links device code in a child process, which is installed with the program at
/// \p self. It may not exist.
std::string linkHelperOf(llvm::StringRef self);
/// A link to it, for a toolchain directory whose `bin` has a copy of \p self. std::nullopt if
/// installed paths lie outside of the folder above `bin`.
std::optional<core::TreeEntry> linkHelperLinkFor(llvm::StringRef self);

/// The same two for the Python program that fetches the files of a toolkit.
std::string fetchHelperOf(llvm::StringRef self);
std::optional<core::TreeEntry> fetchHelperLinkFor(llvm::StringRef self);

} // namespace cudacc::probe
