// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/InstalledPackage.h"
#include "llvm/ADT/StringRef.h"

namespace cudacc::probe {

/// Finds where Python source code opens libraries: ctypes (CDLL, PyDLL, cdll.LoadLibrary), cffi's
/// dlopen, cuda.pathfinder's load_nvidia_dynamic_lib, load_library of torch.ops and numpy,
/// os.add_dll_directory. The libraries are derived from the string literals of the call, or, if it
/// has none, from those of the whole file; a placeholder in a literal matches any text. Comments,
/// definitions and triple-quoted strings are ignored.
std::vector<core::LibraryCall> libraryCalls(llvm::StringRef source, llvm::StringRef file);

/// Why libraryCalls() may miss calls in the text: it is not UTF-8 and declares no encoding, or it
/// declares one that does not encode letters as ASCII does. Empty if it finds all of them.
std::string whyUnsearchable(llvm::StringRef source);

/// The first call that may open a library with this file name; null if there is none. If \p byName
/// is false, the loader does not find the library by its plain name, so calls that pass nothing but
/// that name are skipped.
const core::LibraryCall *callFor(const std::vector<core::LibraryCall> &calls,
                                 llvm::StringRef library, bool byName = true);

} // namespace cudacc::probe
