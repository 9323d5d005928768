// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/ToolkitTree.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cudacc::plan {

/// A directory entry.
struct ListedName {
  std::string name;
  bool isDirectory = false;
};
/// The entries of a folder, sorted; empty if it cannot be read.
using Lister = llvm::function_ref<std::vector<ListedName>(llvm::StringRef folder)>;

/// The driver's stub under its SONAME, for GNU ld, which searches for the libraries that others
/// need. It is not in `stubs`: build systems add the folders of linked libraries to search paths,
/// and no program may load the stub.
inline constexpr llvm::StringLiteral neededDriver = "lib64/stubs/needed/libcuda.so.1";

/// Plans the directory of docs/spec/toolchain-directory.md, except the compilers and cuda-cc's own
/// description, sorted by path. The names in \p ours (`nvcc`, `g++`) are left out of `bin`.
/// Directories that several sources have are merged entry by entry. `lib64` is a directory of
/// links, with a `libX.so` also for libraries that wheels have under their SONAME only.
std::vector<core::TreeEntry> planToolkitTree(const core::ToolkitSources &sources,
                                             llvm::ArrayRef<std::string> ours, Lister list);

/// Adds the folder of ToolchainDirectory::launchedNvcc: nvcc's program \p driver, and links to the
/// entries of `bin` in \p entries, so that nvcc takes the directory as its root (R4).
void addLaunched(llvm::StringRef driver, std::vector<core::TreeEntry> &entries);

} // namespace cudacc::plan
