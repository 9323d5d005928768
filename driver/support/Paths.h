// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::support {

/// What llvm::sys::path lacks, or does otherwise for a trailing slash. Lexical: nothing here
/// touches the disk unless it takes Files.

/// \p name itself when it is absolute.
std::string joinPath(llvm::StringRef folder, llvm::StringRef name);
/// `/` for what lies in the root, empty for a name without slash.
llvm::StringRef parentOf(llvm::StringRef path);
llvm::StringRef nameOf(llvm::StringRef path);
/// The folder that holds the folder of \p path, likewise without resolving links.
inline llvm::StringRef grandparentOf(llvm::StringRef path) { return parentOf(parentOf(path)); }

/// Whether \p path is \p folder or lies in it, as both are written; in an empty folder lies
/// nothing.
bool isBelow(llvm::StringRef path, llvm::StringRef folder);
/// What of \p path lies below \p folder, as both are written; empty: it does not.
llvm::StringRef pathBelow(llvm::StringRef path, llvm::StringRef folder);
/// \p path in \p folder where it is relative, without `.`, `..` and empty parts: for paths without
/// symbolic links.
std::string resolvePath(llvm::StringRef folder, llvm::StringRef path);

/// Against the working directory; unchanged when that is gone.
std::string absolute(llvm::StringRef path, core::Files &files);
/// `~` and `~/x` with \p home; other texts unchanged.
std::string expandHome(llvm::StringRef path, llvm::StringRef home);
/// Without `.`, empty parts, and every `X/..` whose X is no symbolic link, so that the result names
/// the same file.
std::string normalizePath(llvm::StringRef path, core::Files &files);

} // namespace cudacc::support
