// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/WorkFolder.h"
#include "driver/commands/check/Runtimes.h"
#include "driver/commands/inputs/ReadFile.h"
#include "driver/commands/wheel/WriteResult.h"

namespace cudacc::commands {

/// What removing bundled copies changes in a wheel.
struct Unbundling {
  /// Members that are copies of libraries that every runtime brings.
  std::vector<std::string> removed;
  /// By member: NEEDED names to replace, and their replacements.
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> renamed;
};

/// Only shared objects are removed, by their names (policy/wheel/Bundled.h).
Unbundling findBundled(const Inputs &inputs, llvm::ArrayRef<ReadFile> files,
                       llvm::ArrayRef<Runtime> runtimes);

/// Writes the wheel without the copies to \p path. Files are changed by patchelf, in \p work.
llvm::Error writeUnbundled(pipeline::System &system, const SoundWheel &source,
                           const Unbundling &unbundling, WorkFolder &work, const std::string &path);

} // namespace cudacc::commands
