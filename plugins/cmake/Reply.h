#pragma once

#include "driver/core/Files.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace cudacc::cmake {

/// One JSON file of a reply, read with suspicion. A value of another type than the one asked for is
/// noted, and counts as absent; `take` then gives the error.
class Reply {
public:
  using Object = llvm::json::Object;
  using Array = llvm::json::Array;

  /// \p name of a file in \p folder; one that leads elsewhere is refused.
  static llvm::Expected<Reply> read(core::Files &files, llvm::StringRef folder,
                                    llvm::StringRef name);

  const Object &root() const { return *value.getAsObject(); }
  /// Absent keys: empty text, -1, null.
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
  /// BrokenDescription: what the first contradiction was.
  llvm::Error take();
  void broken(const llvm::Twine &what);

private:
  Reply(std::string path, llvm::json::Value value)
      : path(std::move(path)), value(std::move(value)) {}

  std::string path;
  llvm::json::Value value;
  std::string problem;
};

} // namespace cudacc::cmake
