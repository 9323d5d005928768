// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/ToolkitTree.h"
#include "driver/support/MadeFiles.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace cudacc::run {

/// What is put into a directory that is made whole.
struct DirectoryContent {
  std::vector<core::TreeEntry> entries;
  /// Paths inside of copies of the program, all of one inode.
  std::vector<std::string> programs{};
  /// The program that is copied, and what is put behind its last byte.
  std::string self{}, trailer{};
  /// Nobody is to edit the files; directories stay writable, so that they can be removed.
  bool readOnly = false;
};

/// Makes a directory whole or not at all: beside its place, then renamed. When another process was
/// first, its directory is taken.
llvm::Error makeDirectory(core::Files &files, llvm::StringRef path,
                          const DirectoryContent &content);
/// The same in the place of a directory that is there; it stays where the new one cannot be made.
/// Of it what cuda-cc made is removed, by its own list, or by \p known where it has none; if
/// something else was in it, that stays beside the new one, and the error says where. Of several
/// processes the last one's is there. The place is never empty, but for a moment where the
/// filesystem cannot exchange two names.
llvm::Error replaceDirectory(core::Files &files, llvm::StringRef path,
                             const DirectoryContent &content, const support::MadeFiles &known);

/// What lies in a directory and is not what was made.
struct ForeignFiles {
  /// Paths inside; of a folder its own alone, with a slash at its end.
  std::vector<std::string> added, changed;
  bool empty() const { return added.empty() && changed.empty(); }
};
/// By the directory's own list, or by \p known where it has none.
ForeignFiles findForeignFiles(core::Files &files, llvm::StringRef path,
                              const support::MadeFiles &known);

} // namespace cudacc::run
