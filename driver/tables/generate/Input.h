// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/rows/Row.h"
#include <memory>
#include <string>
#include <vector>

namespace cudacc::tables::generate {

using rows::Row;

[[noreturn]] void failWith(llvm::StringRef problem);

/// The data files: NAME.json of the first folder; files with the same name in other folders add
/// rows. Any mistake in a row ends the program: it prints file, row and mistake on stderr, writes
/// no output and exits with 1.
class Input {
public:
  explicit Input(std::vector<std::string> folders) : folders(std::move(folders)) {}
  /// \p key is the key of the rows. They live as long as this object.
  std::vector<Row> rows(llvm::StringRef name, llvm::StringRef key = "rows");
  /// The data files in subfolder \p folder of all folders, sorted by name; each file is one row. A
  /// file in a later folder replaces one of the same name.
  std::vector<Row> files(llvm::StringRef folder);

private:
  const support::Value &load(const std::string &path, rows::Problem &problem);

  std::vector<std::string> folders;
  /// Rows point into these values.
  std::vector<std::unique_ptr<support::Value>> kept;
};

} // namespace cudacc::tables::generate
