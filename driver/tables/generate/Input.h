// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/rows/Row.h"
#include <memory>
#include <string>
#include <vector>

namespace cudacc::tables::generate {

using rows::Row;

[[noreturn]] void failWith(llvm::StringRef problem);

/// The data files: NAME.json of the first folder, its rows continued by those of the same file in
/// the others. Whatever is wrong with a row ends the program: file, row and what is wrong on
/// stderr, exit status 1, no output.
class Input {
public:
  explicit Input(std::vector<std::string> folders) : folders(std::move(folders)) {}
  /// \p key holds the rows. They live as long as this.
  std::vector<Row> rows(llvm::StringRef name, llvm::StringRef key = "rows");
  /// The data files in a folder inside the folders, by name: each as one row. A file of a later
  /// folder replaces that of the same name.
  std::vector<Row> files(llvm::StringRef folder);

private:
  const support::Value &load(const std::string &path, rows::Problem &problem);

  std::vector<std::string> folders;
  /// Rows point into the values.
  std::vector<std::unique_ptr<support::Value>> kept;
};

} // namespace cudacc::tables::generate
