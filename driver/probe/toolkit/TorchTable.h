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

/// The table of torch's exported names that is installed with the program. It is loaded on first
/// use, which never happens in a compile. Safe to use from several threads.
class TorchTable {
public:
  /// \p self: absolute path of the program.
  TorchTable(std::string self, core::Files &files) : self(std::move(self)), files(files) {}

  /// Uses the table of a facts package, at \p path, instead of the installed one, if it can be
  /// read. To be called before names().
  void prefer(std::string path) { preferred = std::move(path); }

  /// Null if there is no usable table.
  const tables::TorchNames *names();
  /// Why names() is null, as one remark (Code::BrokenFacts): the file is missing, with the places
  /// searched, or damaged. Null if there is a table.
  const core::Finding *problem();

  /// Path of the table for the program at \p self; empty if it is not installed.
  static std::string find(llvm::StringRef self, core::Files &files);
  /// The symbolic link by which a copy of the program in a directory's `bin` finds the table;
  /// std::nullopt if there is no table.
  static std::optional<core::TreeEntry> linkFor(llvm::StringRef self, core::Files &files);

private:
  void read();
  llvm::Error view(const std::string &path);

  std::string self, preferred;
  core::Files &files;
  std::once_flag once;
  std::string bytes;
  std::optional<tables::TorchNames> table;
  core::Finding why;
};

} // namespace cudacc::probe
