// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::rtld {

/// `nvJitLink` for libnvJitLink.so.12, also as renamed by auditwheel (LS-44), by the last component
/// of a path; empty if it is no NVIDIA library.
std::string libraryName(llvm::StringRef file);

/// The path without `.` and `..`, as text.
std::string plainPath(llvm::StringRef path);

/// \p tried lies in a subdirectory for processor types of the folder of \p other (LS-16).
bool isForKind(llvm::StringRef tried, llvm::StringRef other);

} // namespace cudacc::rtld
