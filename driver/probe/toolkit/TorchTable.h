// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/core/Files.h"
#include "driver/core/ToolkitTree.h"
#include "driver/tables/lookup/TorchNames.h"
#include <mutex>
#include <optional>
#include <string>

namespace cudacc::probe {

/// The table of torch's exported names that is installed with the program. Nothing is looked for
/// until somebody asks, which no compile does; several threads may ask at once.
class TorchTable {
public:
  /// \p self: the program, by its absolute path.
  TorchTable(std::string self, core::Files &files) : self(std::move(self)), files(files) {}

  /// Null: there is none that can be used.
  const tables::TorchNames *names();
  /// Why names() is null, as one remark (Code::BrokenFacts): the file is missing, with the places
  /// where it was looked for, or what is wrong with it. Null where there is a table.
  const core::Finding *problem();

  /// Where the file lies for the program at \p self; empty: nowhere.
  static std::string find(llvm::StringRef self, core::Files &files);
  /// The link by which a copy of the program in `bin` of a directory finds it, too; nothing: there
  /// is no table.
  static std::optional<core::TreeEntry> linkFor(llvm::StringRef self, core::Files &files);

private:
  void read();

  std::string self;
  core::Files &files;
  std::once_flag once;
  std::string bytes;
  std::optional<tables::TorchNames> table;
  core::Finding why;
};

} // namespace cudacc::probe
