// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Runner.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace cudacc::buildsys {

/// Of one build; a command has a kilobyte.
inline constexpr size_t largestNinjaFile = 512 << 20;

struct NinjaBuild {
  /// As it is started.
  llvm::StringRef ninja;
  /// Absolute.
  llvm::StringRef folder;
  /// `build.ninja`.
  llvm::StringRef file;
};

/// What Ninja would run for \p names, a line for each command, as `-t commands` prints it; without
/// names, or where the file lacks one of them: what it builds by default. Errors: SpawnFailed,
/// LimitReached, UnreadableFile with what Ninja says.
llvm::Expected<std::string> ninjaCommands(core::Runner &runner, const NinjaBuild &build,
                                          llvm::ArrayRef<std::string> names);

} // namespace cudacc::buildsys
