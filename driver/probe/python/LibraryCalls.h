// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/InstalledPackage.h"
#include "llvm/ADT/StringRef.h"

namespace cudacc::probe {

/// Where Python source opens libraries by itself: ctypes (CDLL, PyDLL, cdll.LoadLibrary), cffi's
/// dlopen, cuda.pathfinder's load_nvidia_dynamic_lib, load_library of torch.ops and numpy,
/// os.add_dll_directory. Which libraries is read off the string literals: those of the call, else
/// those of the whole file, where any text that replaces a placeholder is possible. Comments, names
/// that are defined and texts between triple quotes count for nothing.
std::vector<core::LibraryCall> libraryCalls(llvm::StringRef source, llvm::StringRef file);

/// Why the text may hold calls that libraryCalls() does not see: it is not UTF-8 and does not say
/// what it is, or says an encoding in which letters are not ASCII's. Empty: it sees all of them.
std::string whyUnsearchable(llvm::StringRef source);

/// The first call that may open a library of this file name; null: none does. Without \p byName,
/// one that names nothing but the library opens none, since the loader finds none of that name.
const core::LibraryCall *callFor(const std::vector<core::LibraryCall> &calls,
                                 llvm::StringRef library, bool byName = true);

} // namespace cudacc::probe
