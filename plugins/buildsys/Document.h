// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/support/Json.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace cudacc::buildsys {

/// What a build system writes as JSON: how it is spoken of.
struct DocumentKind {
  /// `CMake's reply`.
  llvm::StringRef noun;
  /// The fix where it cannot be read.
  llvm::StringRef remedy;
};

/// One JSON file, read with suspicion. A value of another type than the one asked for is noted, and
/// counts as absent; `take` then gives the error.
class Document {
public:
  using Object = support::Value;

  /// \p name of a file in \p folder; one that leads elsewhere is refused. \p kind outlives it.
  static llvm::Expected<Document> read(core::Files &files, llvm::StringRef folder,
                                       llvm::StringRef name, const DocumentKind &kind);

  const Object &root();
  /// Of a file that is a list: those of its items that are objects.
  void items(llvm::function_ref<void(const Object &)> onItem);
  /// Of a file that is a list of texts.
  void lines(llvm::function_ref<void(llvm::StringRef)> onItem);
  /// Absent keys, and those that are null: empty text, -1, false, null.
  llvm::StringRef text(const Object &object, llvm::StringRef key);
  int64_t number(const Object &object, llvm::StringRef key);
  bool flag(const Object &object, llvm::StringRef key);
  const Object *object(const Object &object, llvm::StringRef key);
  /// Items of the list below \p key that are objects.
  void objects(const Object &object, llvm::StringRef key,
               llvm::function_ref<void(const Object &)> onItem);
  void texts(const Object &object, llvm::StringRef key,
             llvm::function_ref<void(llvm::StringRef)> onItem);
  void numbers(const Object &object, llvm::StringRef key, llvm::function_ref<void(int64_t)> onItem);
  /// Members of \p object that are objects.
  void members(const Object &object,
               llvm::function_ref<void(llvm::StringRef key, const Object &)> onMember);
  /// BrokenDescription: what the first contradiction was.
  llvm::Error take();
  void broken(std::string what);

private:
  Document(std::string path, support::Value value, const DocumentKind &kind)
      : path(std::move(path)), value(std::move(value)), kind(&kind) {}

  std::string path;
  support::Value value;
  const DocumentKind *kind;
  std::string problem;
};

} // namespace cudacc::buildsys
