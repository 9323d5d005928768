// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/WorkFolder.h"
#include "driver/commands/check/Runtimes.h"
#include "driver/commands/wheel/ReadWheel.h"

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
llvm::Error writeUnbundled(pipeline::System &system, const ReadWheel &source,
                           const Unbundling &unbundling, WorkFolder &work, const std::string &path);

/// Writes to \p path the members of \p made: in its order, with its permissions and dates, RECORD
/// last. A member that \p source has with the same content is copied from there, compressed as it
/// is. \p texts: the contents of further members, and of those that are replaced, by name; all lie
/// in the dist-info folder. RECORD is written anew. Errors:
/// CannotWrite; BrokenWheel if RECORD of \p made is wrong about a member.
llvm::Error writeResult(pipeline::System &system, const std::string &path, const ReadWheel &source,
                        const ReadWheel &made, const std::map<std::string, std::string> &texts);

} // namespace cudacc::commands
