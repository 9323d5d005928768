#pragma once

#include "driver/core/Files.h"
#include "driver/core/ToolkitTree.h"
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
/// The same in the place of a directory that is there, which is gone afterwards; it stays where the
/// new one cannot be made. Of several processes the last one's is there. The place is never empty,
/// but for a moment where the filesystem cannot exchange two names.
llvm::Error replaceDirectory(core::Files &files, llvm::StringRef path,
                             const DirectoryContent &content);

} // namespace cudacc::run
