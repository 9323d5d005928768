// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/lock/Lock.h"
#include "tests/fuzz/Folder.h"

using namespace cudacc;

/// A lock file, whose name chooses the format, and the files that it includes.
static void run(llvm::StringRef bytes) {
  fuzz::Folder folder(bytes, "/w");
  std::string path = ("/w/" + folder.name).str();
  std::vector<size_t> counts;
  for (llvm::StringRef python : {"", "3.11"}) {
    auto environment = versions::MarkerEnvironment::linux("x86_64", python);
    auto lock = fuzz::valueOf(probe::readLock(path, environment, folder.files));
    if (!lock)
      return;
    for (const core::LockedPackage &each : lock->packages)
      fuzz::expect(!each.name.empty() && !each.file.empty() &&
                   each.applies != versions::Truth::False);
    for (const core::Finding &each : lock->problems)
      fuzz::expect(!each.message.empty());
    counts.push_back(lock->packages.size());
  }
}

static const fuzz::Target target("lockfile", run);
