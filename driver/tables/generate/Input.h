#pragma once

#include "driver/versions/CudaVersion.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::tables::generate {

/// One row of a data file. Whatever is wrong with it ends the program: file, row and what is wrong
/// on stderr, exit status 1, no output.
class Row {
public:
  Row(const llvm::json::Object &object, std::string place)
      : object(&object), place(std::move(place)) {}

  [[noreturn]] void reject(const llvm::Twine &problem) const;
  void require(bool condition, const llvm::Twine &problem) const {
    if (!condition)
      reject(problem);
  }

  const llvm::json::Value &value(llvm::StringRef key) const;
  llvm::StringRef text(llvm::StringRef key) const;
  /// Empty for null.
  llvm::StringRef textOrNull(llvm::StringRef key) const;
  bool flag(llvm::StringRef key) const;
  std::optional<bool> flagOrNull(llvm::StringRef key) const;
  std::vector<llvm::StringRef> texts(llvm::StringRef key) const;
  std::vector<Row> rows(llvm::StringRef key) const;
  const llvm::json::Array &array(llvm::StringRef key) const;
  const llvm::json::Object &map(llvm::StringRef key) const;
  unsigned number(llvm::StringRef key) const;
  /// Reads `M.m`.
  versions::CudaVersion cuda(llvm::StringRef key) const { return asCuda(text(key)); }
  versions::CudaVersion asCuda(llvm::StringRef value) const;
  versions::Version asVersion(llvm::StringRef value) const;
  /// Exactly \p count numbers, each below 255.
  std::vector<uint8_t> asNumbers(llvm::StringRef value, size_t count) const;
  /// A string inside an array or object of this row; a list of them.
  llvm::StringRef asText(const llvm::json::Value &value) const;
  std::vector<llvm::StringRef> asTexts(const llvm::json::Value &value) const;
  /// A whole number below 65535 inside an array of this row.
  unsigned asIndex(const llvm::json::Value &value) const;

private:
  const llvm::json::Object *object;
  std::string place;
};

/// The data files: NAME.json of the first folder, its rows continued by those of the same file in
/// the others.
class Input {
public:
  explicit Input(std::vector<std::string> folders) : folders(std::move(folders)) {}
  /// \p key holds the rows. They live as long as the program.
  std::vector<Row> rows(llvm::StringRef name, llvm::StringRef key = "rows");
  /// The data files in a folder inside the folders, by name: each as one row. A file of a later
  /// folder replaces that of the same name.
  std::vector<Row> files(llvm::StringRef folder);

private:
  std::vector<std::string> folders;
};

[[noreturn]] void fail(const llvm::Twine &problem);

} // namespace cudacc::tables::generate
