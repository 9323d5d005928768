// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/support/Json.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace cudacc::buildsys {

/// How messages refer to the JSON that a build system writes.
struct DocumentKind {
  /// `CMake's reply`.
  llvm::StringRef noun;
  /// The fix if it cannot be read.
  llvm::StringRef remedy;
};

/// One untrusted JSON file. A value of an unexpected type counts as absent and is recorded; `take`
/// then returns the error.
class Document {
public:
  using Object = support::Value;

  /// Reads \p name in \p folder; a name with a path is refused. \p kind must outlive the result.
  static llvm::Expected<Document> read(core::Files &files, llvm::StringRef folder,
                                       llvm::StringRef name, const DocumentKind &kind);

  const Object &root();
  /// For a file that is a list: calls \p onItem for each item that is an object.
  void items(llvm::function_ref<void(const Object &)> onItem);
  /// For a file that is a list of strings.
  void lines(llvm::function_ref<void(llvm::StringRef)> onItem);
  /// Keys that are absent or null yield an empty string, -1, false, or null.
  llvm::StringRef text(const Object &object, llvm::StringRef key);
  int64_t number(const Object &object, llvm::StringRef key);
  bool flag(const Object &object, llvm::StringRef key);
  const Object *object(const Object &object, llvm::StringRef key);
  /// Calls \p onItem for each object in the list at \p key.
  void objects(const Object &object, llvm::StringRef key,
               llvm::function_ref<void(const Object &)> onItem);
  void texts(const Object &object, llvm::StringRef key,
             llvm::function_ref<void(llvm::StringRef)> onItem);
  void numbers(const Object &object, llvm::StringRef key, llvm::function_ref<void(int64_t)> onItem);
  /// Calls \p onMember for each member of \p object that is an object.
  void members(const Object &object,
               llvm::function_ref<void(llvm::StringRef key, const Object &)> onMember);
  /// Errors: BrokenDescription with the first problem found.
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
