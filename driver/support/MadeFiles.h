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

/// What a toolchain directory consists of, as it was when it was made: so that making it again can
/// tell what somebody else put there. Kept in the directory itself, apart from what every compile
/// reads.
struct MadeFiles {
  static constexpr llvm::StringLiteral name = "cuda-cc.files";

  struct File {
    enum class Kind : uint8_t {
      /// A link that says `text`.
      Link,
      /// A file whose content has the digest `text`.
      File,
      /// A copy of the program that ends in the directory's fingerprint.
      Program,
      /// Of a directory that has no list: the name alone is known.
      Unknown,
    };
    Kind kind = Kind::Unknown;
    std::string text{};
  };

  /// By path inside.
  std::map<std::string, File, std::less<>> files;
  /// The folders that these lie in.
  std::set<std::string, std::less<>> folders;
  /// What the copies of the program end in.
  std::string fingerprint;

  void add(llvm::StringRef path, File file);
  static MadeFiles of(llvm::ArrayRef<core::TreeEntry> entries, llvm::ArrayRef<std::string> programs,
                      llvm::StringRef fingerprint);
  /// What is known of a directory that has no list: what would be made now has these names.
  MadeFiles namesOnly() const;
  std::string serialise() const;
  /// Nothing when the text is not of this version of the form.
  static std::optional<MadeFiles> parse(llvm::StringRef text);
  static std::string digest(llvm::StringRef content);
};

} // namespace cudacc::support
