// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/ToolkitTree.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace cudacc::probe {

/// A link to \p target, what is installed at \p place relative to the program's `bin`, in a
/// directory whose `bin` has a copy of the program. std::nullopt if that place lies outside of the
/// folder above `bin`.
std::optional<core::TreeEntry> linkInside(llvm::StringRef place, std::string target);

/// The program that links device code in a child process, which is installed with the program at
/// \p self. It may not exist.
std::string linkHelperOf(llvm::StringRef self);
std::optional<core::TreeEntry> linkHelperLinkFor(llvm::StringRef self);

/// The same two for the Python program that fetches the files of a toolkit.
std::string fetchHelperOf(llvm::StringRef self);
std::optional<core::TreeEntry> fetchHelperLinkFor(llvm::StringRef self);

} // namespace cudacc::probe
