// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/check/Runtimes.h"
#include "driver/commands/inputs/ReadFile.h"
#include "driver/core/Judgement.h"

namespace cudacc::commands {

/// Files that nobody named and that the Python of their runtime never loads: extension modules for
/// another version of it, and libraries for another machine than most of what they lie among (stubs
/// of other systems in a package).
class SkippedFiles {
public:
  /// All outlive this.
  SkippedFiles(const Inputs &inputs, llvm::ArrayRef<ReadFile> files);

  /// "for Python 3.9", "for aarch64"; empty: it is judged. \p runtime may be null: none is known.
  std::string reason(size_t file, const Runtime *runtime) const;
  /// CC4209, with a fact per reason; nothing: nothing was skipped.
  static std::vector<core::Finding>
  finding(const std::map<std::string, std::vector<std::string>> &filesByReason);

private:
  const Inputs &inputs;
  llvm::ArrayRef<ReadFile> files;
  /// By package, the machine of most files; 0: it is open.
  std::map<size_t, uint16_t> machines;
};

/// Of a script, or what goes to the data of a wheel: nothing is known of what will lie around it.
void remarkOnPlace(const Input &input, const ReadFile &file, core::Judgement &judgement);

} // namespace cudacc::commands
