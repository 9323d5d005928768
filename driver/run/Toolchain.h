// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/ToolkitTree.h"
#include "driver/support/MadeFiles.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace cudacc::run {

/// Removes a file, or a directory with all that is in it; links are not followed.
void removeTree(core::Files &files, const std::string &path);

/// Contents of a directory that is created atomically.
struct DirectoryContent {
  std::vector<core::TreeEntry> entries;
  /// Relative paths of the copies of the program, all of one inode.
  std::vector<std::string> programs{};
  /// The program that is copied, and the bytes appended to it.
  std::string self{}, trailer{};
  /// Makes the files read-only; directories stay writable, so that they can be removed.
  bool readOnly = false;
};

/// Creates a directory completely or not at all, under a temporary name that is then renamed. If
/// another process was faster, its directory is kept.
llvm::Error makeDirectory(core::Files &files, llvm::StringRef path,
                          const DirectoryContent &content);
/// The same, replacing an existing directory, which stays if the new one cannot be created. Then
/// removes from the old one what cuda-cc made, by its own list, or by \p known if it has none. If
/// it contains anything else, that stays beside the new directory, and the error names the place.
/// Of several concurrent processes the last one wins. The path always exists, except for a moment
/// if the file system cannot exchange two names.
llvm::Error replaceDirectory(core::Files &files, llvm::StringRef path,
                             const DirectoryContent &content, const support::MadeFiles &known);

/// Files in a toolchain directory that cuda-cc did not create.
struct ForeignFiles {
  /// Relative paths; for a folder only its own, with a trailing slash.
  std::vector<std::string> added, changed;
  bool empty() const { return added.empty() && changed.empty(); }
};
/// Compares with the directory's own list, or with \p known if it has none.
ForeignFiles findForeignFiles(core::Files &files, llvm::StringRef path,
                              const support::MadeFiles &known);

} // namespace cudacc::run
