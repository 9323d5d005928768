// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace cudacc::run {

/// A place among the processes that may work at a time; the destructor gives it back.
class JobSlot {
public:
  virtual ~JobSlot() = default;
};

/// Where a process asks for its place.
struct JobRules {
  /// Value of MAKEFLAGS. If it names a jobserver (`--jobserver-auth=R,W` or `fifo:PATH`), its
  /// tokens are the places, and the one that the caller has already.
  std::string makeFlags;
  /// Lock file that stands for the caller's own place.
  std::string ownPlace;
  /// Without a jobserver: an existing folder for lock files that stand for `count` places, shared
  /// by all callers.
  std::string folder;
  unsigned count = 1;
};

/// Waits for a place. Under a jobserver that cannot be reached, as make closes it to commands that
/// are not marked with `+`, only the caller's own place is used. Null if no lock file can be
/// created, or if a signal came (SignalsHeld).
std::unique_ptr<JobSlot> waitForJob(const JobRules &rules);

/// Processors that this process may use; at least 1.
unsigned processors();

/// True if \p folder has room for what a step makes: no limit of a disk, a quota or of this process
/// is near.
bool hasRoom(llvm::StringRef folder);

/// Changes the working directory. Error: UnreadableFile.
llvm::Error enterFolder(llvm::StringRef path);

} // namespace cudacc::run
