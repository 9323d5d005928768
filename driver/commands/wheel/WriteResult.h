// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/wheel/SoundWheel.h"

namespace cudacc::commands {

/// Writes to \p path the members of \p made: in its order, with its permissions and dates, RECORD
/// last. A member that \p source has with the same content is copied from there, compressed as it
/// is. \p texts: the contents of further members, and of those that are replaced, by name; all lie
/// in the dist-info folder. RECORD is written anew. Errors:
/// CannotWrite; BrokenWheel if RECORD of \p made is wrong about a member.
llvm::Error writeResult(pipeline::System &system, const std::string &path, const SoundWheel &source,
                        const SoundWheel &made, const std::map<std::string, std::string> &texts);

} // namespace cudacc::commands
