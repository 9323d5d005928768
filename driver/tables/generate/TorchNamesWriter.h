// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/TorchNames.h"
#include <map>
#include <unordered_map>

namespace cudacc::tables {

/// Writes the bytes that TorchNames reads. Equal builds give equal bytes, independent of the order
/// in which they were added and of whether some came from an earlier table.
class TorchNamesWriter {
public:
  struct Name {
    std::string name;
    /// How the build exports the name; `libraries` is never 0.
    TorchNames::Entry entry;
  };

  /// Copies all builds of \p names with their exports.
  llvm::Error add(const TorchNames &names);
  /// Replaces a build of the same release and machine. Build::names is computed. Errors: a release
  /// that is no version; a name that must be left out or has no library; a duplicate name or hash.
  llvm::Error add(TorchNames::Build build, llvm::ArrayRef<Name> names);
  /// Error: more patterns than the format can number.
  llvm::Expected<std::string> bytes() const;

private:
  /// The values of one name, indexed by Column::number. 0 if not exported.
  using Values = std::vector<uint16_t>;
  struct Column {
    TorchNames::Build build;
    size_t number;
  };

  size_t columnOf(TorchNames::Build build);
  std::vector<Column> inOrder() const;

  std::vector<Column> columns;
  std::unordered_map<uint64_t, Values> names;
};

} // namespace cudacc::tables
