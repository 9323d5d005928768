// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/check/Runtimes.h"
#include "driver/commands/inputs/ReadFile.h"
#include "driver/core/Judgement.h"

namespace cudacc::commands {

/// Files that the user did not name and that the Python of their runtime never loads: extension
/// modules for another Python version, and libraries for another machine than most files of their
/// package (such as stubs for other systems).
class SkippedFiles {
public:
  /// Both must outlive this.
  SkippedFiles(const Inputs &inputs, llvm::ArrayRef<ReadFile> files);

  /// "for Python 3.9", "for aarch64"; empty if it is judged. \p runtime is null if none is known.
  std::string reason(size_t file, const Runtime *runtime) const;
  /// CC4209 with a fact per reason; empty if nothing was skipped.
  static std::vector<core::Finding>
  finding(const std::map<std::string, std::vector<std::string>> &filesByReason);

private:
  const Inputs &inputs;
  llvm::ArrayRef<ReadFile> files;
  /// The machine of most files, by package; 0 if undecided.
  std::map<size_t, uint16_t> machines;
};

/// Adds a remark about a file of which it is not known what will lie beside it.
void remarkOnPlace(const Input &input, const ReadFile &file, core::Judgement &judgement);

} // namespace cudacc::commands
