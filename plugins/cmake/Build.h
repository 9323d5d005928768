// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/Runner.h"
#include "plugins/audit/Audit.h"
#include "plugins/cmake/FileApi.h"
#include "llvm/Support/Error.h"

namespace cudacc::cmake {

/// True if CMake configured that directory.
bool isBuild(core::Files &files, llvm::StringRef build);

/// Facts that must not come from the build directory, as anyone may have written it.
struct TrustedTools {
  /// The Ninja on PATH; empty if none.
  std::string ninja;
  /// The user whose files are trusted, besides root's.
  unsigned uid = 0;
};

/// Reads a build directory of CMake 3.21 to 4.x with Ninja, Ninja Multi-Config or Makefiles: its
/// cache, File API reply, commands, compilers and install scripts. \p build is absolute. The Ninja
/// named by the cache is started only if it lies outside the build and source trees and only the
/// user and root can change it; else the one on PATH is. Commands of other generators cannot be
/// read: `hasCommands` is false. Errors: BrokenDescription, UnreadableFile, LimitReached,
/// SpawnFailed.
llvm::Expected<audit::BuildModel> readBuild(core::Files &files, core::Runner &runner,
                                            llvm::StringRef build, const TrustedTools &around,
                                            ForEach forEach);

/// Requests a description of the build from the next CMake run. Returns the files written; empty if
/// they existed.
llvm::Expected<std::vector<std::string>> prepare(core::Files &files, llvm::StringRef build);

/// The fixes for a CMake build. \p directory: a toolchain directory, or empty if none is known;
/// fixes that need none then name \p program, cuda-cc itself.
std::vector<std::string> fixes(audit::FixKind remedy, llvm::StringRef tree,
                               llvm::StringRef directory, llvm::StringRef program);

} // namespace cudacc::cmake
