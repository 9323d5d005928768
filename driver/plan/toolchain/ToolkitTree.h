// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/ToolkitTree.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cudacc::plan {

/// A name in a folder.
struct ListedName {
  std::string name;
  bool isDirectory = false;
};
/// The names in a folder, ascending; empty where it cannot be read.
using Lister = llvm::function_ref<std::vector<ListedName>(llvm::StringRef folder)>;

/// The driver's stub under its SONAME, for GNU ld that looks for what a library needs. Not in
/// `stubs`: build systems put the folders of what they link into search paths, and no program may
/// load it.
inline constexpr llvm::StringLiteral neededDriver = "lib64/stubs/needed/libcuda.so.1";

/// The directory of docs/spec/toolchain-directory.md but for the compilers and what cuda-cc writes
/// about itself, ascending by path. Names in \p ours (`nvcc`, `g++`) are left out of `bin`. What
/// two folders both have is merged entry by entry. `lib64` is a directory of links, with a
/// `libX.so` for every library that wheels name by SONAME alone.
std::vector<core::TreeEntry> planToolkitTree(const core::ToolkitSources &sources,
                                             llvm::ArrayRef<std::string> ours, Lister list);

/// Adds the folder of ToolchainDirectory::launchedNvcc: nvcc's program \p driver among links to
/// what
/// \p entries have beside it in `bin`, so that its root is the directory (R4).
void addLaunched(llvm::StringRef driver, std::vector<core::TreeEntry> &entries);

} // namespace cudacc::plan
