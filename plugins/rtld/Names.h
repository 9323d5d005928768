// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::rtld {

/// `nvJitLink` for libnvJitLink.so.12, also as auditwheel renames it (LS-44); empty: no library of
/// NVIDIA's. By the last part of a path.
std::string libraryName(llvm::StringRef file);

/// A path as files are compared by people: without `.` and `..`.
std::string plainPath(llvm::StringRef path);

/// \p tried lies in a folder for kinds of processors below the folder of \p other (LS-16).
bool isForKind(llvm::StringRef tried, llvm::StringRef other);

} // namespace cudacc::rtld
