// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Runner.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace cudacc::buildsys {

/// Bytes of one build file, or of the commands of one build; a command takes about a kilobyte.
inline constexpr size_t largestNinjaFile = 512 << 20;

struct NinjaBuild {
  /// The command that starts Ninja.
  llvm::StringRef ninja;
  /// Absolute.
  llvm::StringRef folder;
  /// `build.ninja`.
  llvm::StringRef file;
};

/// The commands that Ninja would run for \p names, one per line, as `-t commands` prints them.
/// Without names, or if the file lacks one of them: those of the default targets. Errors:
/// SpawnFailed, LimitReached, UnreadableFile with Ninja's message.
llvm::Expected<std::string> ninjaCommands(core::Runner &runner, const NinjaBuild &build,
                                          llvm::ArrayRef<std::string> names);

} // namespace cudacc::buildsys
