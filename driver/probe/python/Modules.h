// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::probe {

/// The file that importing a dotted name loads, or what prevents that.
struct FoundModule {
  /// The extension module; empty if there is none or if the name is Python code.
  std::string path;
  /// The directory found for the name, or for the package before its last dot: the first one on the
  /// path that has it.
  std::string package;
  /// Python code of that name, which is loaded instead: `pkg/ops.py`.
  std::string code;
  /// Files of that name built for other Python versions.
  std::vector<std::string> others;
};

/// Finds the extension module of a dotted name (`pkg._C`) as Python's finders do, in the order of
/// \p path (sys.path). The first directory that has the package provides all of it; a directory
/// without `__init__` counts only if no other has one. Within a directory: `_C/__init__`, then
/// `_C.cpython-311-x86_64-linux-gnu.so`, `_C.abi3.so`, `_C.so`, `_C.py`; for a package,
/// `pkg/__init__` with such a suffix. If there are files for several Python versions, the one for
/// \p python is taken (`python3.11`; empty if unknown).
FoundModule findModule(llvm::ArrayRef<std::string> path, llvm::StringRef name,
                       llvm::StringRef python, core::Files &files);

/// Whether the text is a dotted name (letters, digits, underscores, dots) and not a file name.
bool isModuleName(llvm::StringRef text);

/// Returns the extension modules directly in the package \p name, a dotted name of a directory; if
/// there are none, those of its subpackages, without their tests. Empty if there is no such
/// directory or none in it.
std::vector<std::string> modulesIn(llvm::ArrayRef<std::string> path, llvm::StringRef name,
                                   llvm::StringRef python, core::Files &files);

/// Returns every shared object of the package \p name, a dotted name of a directory: the extension
/// modules of this Python and the libraries they load, subpackages included. Files of other Python
/// versions and symbolic links to directories are skipped. Empty if there is no such directory or
/// none in it.
std::vector<std::string> binariesIn(llvm::ArrayRef<std::string> sites, llvm::StringRef name,
                                    llvm::StringRef python, core::Files &files);

} // namespace cudacc::probe
