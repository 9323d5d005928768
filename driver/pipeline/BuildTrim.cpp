// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/BuildTrim.h"
#include "driver/pipeline/BuildFolder.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <chrono>

namespace cudacc::pipeline {

using namespace core;
using llvm::StringRef;
using Days = std::chrono::duration<int64_t, std::ratio<86400>>;

/// A file whose time is later than the clock is as new as can be.
static bool isOlder(Files &files, StringRef path, Days age) {
  FileStatus status = files.stat(path);
  auto now = std::chrono::system_clock::now().time_since_epoch();
  auto time = std::chrono::nanoseconds(status.id.mtime);
  return status.exists() && std::chrono::nanoseconds(now) - time > age;
}

static void trim(Files &files, cache::Store &store, StringRef builds, StringRef name) {
  static constexpr Days unused{14};
  std::string folder = fmt::format("{}/{}", builds, name);
  std::string used = fmt::format("{}/{}", folder, BuildFolder::used);
  bool isFolder = !files.readLink(folder) && llvm::all_of(name, llvm::isHexDigit);
  if (!isFolder || !isOlder(files, used, unused))
    return;
  auto lock = store.lock(name);
  if (!lock || !isOlder(files, used, unused))
    return;
  for (StringRef file : files.list(folder))
    if (file != BuildFolder::used)
      files.remove(fmt::format("{}/{}", folder, file));
  // What was interrupted goes on the next day.
  if (files.list(folder).size() == 1 && files.remove(used))
    files.remove(folder);
}

void trimBuilds(System &system, cache::Store &store, StringRef builds) {
  static constexpr Days interval{1};
  std::string looked = fmt::format("{}/trimmed", builds);
  bool isDue = !system.files.stat(looked).exists() || isOlder(system.files, looked, interval);
  if (!isDue)
    return;
  llvm::consumeError(system.files.write(looked, "", 0600));
  for (StringRef name : system.files.list(builds))
    trim(system.files, store, builds, name);
}

} // namespace cudacc::pipeline
