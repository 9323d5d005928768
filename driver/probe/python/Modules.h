// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::probe {

/// A file that the import of a dotted name takes, and what stands in its way.
struct FoundModule {
  /// The extension module; empty: there is none, or it is Python code.
  std::string path;
  /// Where the name, or the package before its last dot, leads; the first element of the path that
  /// has it.
  std::string package;
  /// Python code of that name, which is taken: `pkg/ops.py`.
  std::string code;
  /// Files of that name for other Pythons.
  std::vector<std::string> others;
};

/// The extension module of a dotted name (`pkg._C`), as Python's finders look for it in \p path
/// (sys.path), in its order: the first folder that has the package has all of it, one without
/// `__init__` only if no other has any. Within a folder: `_C/__init__`, then
/// `_C.cpython-311-x86_64-linux-gnu.so`, `_C.abi3.so`, `_C.so`, `_C.py`; of a package
/// `pkg/__init__` with such a suffix. Of several Pythons' files, that of \p python (`python3.11`;
/// empty: not known).
FoundModule findModule(llvm::ArrayRef<std::string> path, llvm::StringRef name,
                       llvm::StringRef python, core::Files &files);

/// Letters, digits, underscores and dots, as a dotted name has them, and not a file's name.
bool isModuleName(llvm::StringRef text);

/// Every extension module of a package: of a dotted name that is a folder the files in it, one
/// level deep. Empty: no such folder, or none in it.
std::vector<std::string> modulesIn(llvm::ArrayRef<std::string> path, llvm::StringRef name,
                                   llvm::StringRef python, core::Files &files);

/// Every shared object of a package, of a dotted name that is a folder: extension modules of this
/// Python and libraries that it opens, in subpackages too. Files of other Pythons and folders that
/// are links are left out. Empty: no such folder, or none in it.
std::vector<std::string> binariesIn(llvm::ArrayRef<std::string> sites, llvm::StringRef name,
                                    llvm::StringRef python, core::Files &files);

} // namespace cudacc::probe
