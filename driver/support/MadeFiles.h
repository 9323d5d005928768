// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/ToolkitTree.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cudacc::support {

/// The list of files in a toolchain directory as they were created, so that a later run can tell
/// which ones somebody else added or changed. It is stored in the directory, in a file that
/// compiles do not read.
struct MadeFiles {
  static constexpr llvm::StringLiteral name = "cuda-cc.files";

  struct File {
    enum class Kind : uint8_t {
      /// A symbolic link to `text`.
      Link,
      /// A file whose content has the digest `text`.
      File,
      /// A copy of cuda-cc that ends in the directory's fingerprint.
      Program,
      /// The directory has no list: only the name is known.
      Unknown,
    };
    Kind kind = Kind::Unknown;
    std::string text{};
  };

  /// By path inside the directory.
  std::map<std::string, File, std::less<>> files;
  /// The folders that contain the files.
  std::set<std::string, std::less<>> folders;
  /// The trailing bytes of the copies of cuda-cc.
  std::string fingerprint;

  void add(llvm::StringRef path, File file);
  static MadeFiles of(llvm::ArrayRef<core::TreeEntry> entries, llvm::ArrayRef<std::string> programs,
                      llvm::StringRef fingerprint);
  /// The assumed list of a directory that has none: the names that would be created now.
  MadeFiles namesOnly() const;
  std::string serialise() const;
  /// std::nullopt if the text has another format version.
  static std::optional<MadeFiles> parse(llvm::StringRef text);
  static std::string digest(llvm::StringRef content);
};

} // namespace cudacc::support
