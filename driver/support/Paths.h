// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::support {

/// Path functions that llvm::sys::path lacks or that treat a trailing slash differently. They are
/// lexical: only those that take Files access the disk.

/// Returns \p name if it is absolute.
std::string joinPath(llvm::StringRef folder, llvm::StringRef name);
/// `/` for a file in the root, empty for a name without slash.
llvm::StringRef parentOf(llvm::StringRef path);
llvm::StringRef nameOf(llvm::StringRef path);
/// The parent of the parent of \p path. Symbolic links are not resolved.
inline llvm::StringRef grandparentOf(llvm::StringRef path) { return parentOf(parentOf(path)); }

/// Whether \p path is \p folder or lies below it, by their spelling. Nothing lies below an empty
/// folder.
bool isBelow(llvm::StringRef path, llvm::StringRef folder);
/// \p path relative to \p folder, by their spelling. Empty if it does not lie below.
llvm::StringRef pathBelow(llvm::StringRef path, llvm::StringRef folder);
/// \p path, relative to \p folder if it is not absolute, without `.`, `..` and empty parts. Only
/// for paths without symbolic links.
std::string resolvePath(llvm::StringRef folder, llvm::StringRef path);

/// Removes the `$ORIGIN` or `${ORIGIN}` with which an entry of a search path begins, if one does;
/// `$ORIGINAL` does not.
bool consumeOrigin(llvm::StringRef &entry);

/// Relative to the working directory. Unchanged if that no longer exists.
std::string absolute(llvm::StringRef path, core::Files &files);
/// Expands `~` and `~/x` with \p home; other strings are unchanged.
std::string expandHome(llvm::StringRef path, llvm::StringRef home);
/// Removes `.`, empty parts, and each `X/..` unless X is a symbolic link, so that the result names
/// the same file.
std::string normalizePath(llvm::StringRef path, core::Files &files);

} // namespace cudacc::support
