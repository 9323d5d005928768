// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/Runner.h"
#include "plugins/audit/Audit.h"
#include "plugins/cmake/FileApi.h"
#include "llvm/Support/Error.h"

namespace cudacc::cmake {

/// Whether CMake configured that directory.
bool isBuild(core::Files &files, llvm::StringRef build);

/// What a build directory, which may be anybody's, does not decide.
struct Surroundings {
  /// The Ninja on PATH; empty: none.
  std::string ninja;
  /// Whose files are trusted, beside root's.
  unsigned uid = 0;
};

/// A build directory of CMake 3.21 to 4.x with Ninja, Ninja Multi-Config or Makefiles: its cache,
/// its File API reply, its commands, its compilers and its install scripts. \p build is absolute.
/// The Ninja that the cache names is started only where it lies outside of the tree and nobody but
/// the user and root can change it; else the one on PATH.
/// Other generators keep their commands to themselves: `hasCommands` is false. Errors:
/// BrokenDescription, UnreadableFile, LimitReached, SpawnFailed.
llvm::Expected<audit::BuildModel> readBuild(core::Files &files, core::Runner &runner,
                                            llvm::StringRef build, const Surroundings &around,
                                            ForEach forEach);

/// Asks CMake to describe the build when it configures next. The files that were written; empty:
/// they were there.
llvm::Expected<std::vector<std::string>> prepare(core::Files &files, llvm::StringRef build);

/// How a CMake build is mended. \p directory: a toolchain directory; empty: none is known,
/// and what can do without one names \p program, cuda-cc itself.
std::vector<std::string> fixes(audit::Remedy remedy, llvm::StringRef build,
                               llvm::StringRef directory, llvm::StringRef program);

} // namespace cudacc::cmake
