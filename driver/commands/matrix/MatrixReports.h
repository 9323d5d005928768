// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/pipeline/System.h"
#include <map>
#include <set>

namespace cudacc::commands {

/// Files that calls of `matrix` write themselves, into the project perhaps: no build reads them.
/// Those of this call, and those of earlier ones as long as nobody else has changed them.
class MatrixReports {
public:
  /// \p results: absolute, where the list of them is kept. \p page: that of `--report`.
  MatrixReports(pipeline::System &system, llvm::StringRef results,
                const std::optional<std::string> &page);

  /// \p path: without symbolic links.
  bool contains(llvm::StringRef path) const;
  /// Keeps them for the next call; after the last output.
  llvm::Error keep() const;

private:
  using State = std::pair<uint64_t, int64_t>;
  pipeline::System &system;
  std::string list;
  std::optional<std::string> page;
  std::set<std::string, std::less<>> written;
  std::map<std::string, State, std::less<>> earlier;

  std::optional<State> stateOf(llvm::StringRef path) const;
  std::set<std::string, std::less<>> writtenNow() const;
};

} // namespace cudacc::commands
