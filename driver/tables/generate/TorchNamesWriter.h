// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/TorchNames.h"
#include <map>
#include <unordered_map>

namespace cudacc::tables {

/// Makes the bytes that TorchNames reads. The same builds give the same bytes, whatever the order
/// they were added in and whether some came from a table made before.
class TorchNamesWriter {
public:
  struct Name {
    std::string name;
    /// How the build exports it; `libraries` is never 0.
    TorchNames::Entry entry;
  };

  /// Takes over all builds of \p names, with what they export.
  llvm::Error add(const TorchNames &names);
  /// Replaces a build of the same release and machine; Build::names is counted here. Error: a
  /// release that is no version, a name that is left out or without a library, the same name or the
  /// same hash twice.
  llvm::Error add(TorchNames::Build build, llvm::ArrayRef<Name> names);
  /// Error: more patterns than the format can number.
  llvm::Expected<std::string> bytes() const;

private:
  /// Values of a name by Column::number; absent: 0.
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
