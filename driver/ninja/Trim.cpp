// SPDX-License-Identifier: Apache-2.0
#include "driver/ninja/Trim.h"
#include "driver/cache/CommandInputs.h"
#include "driver/ninja/BuildFolder.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::ninja {

using namespace core;
using llvm::StringRef;

static constexpr int64_t day = int64_t(86400) * 1'000'000'000;
static constexpr uint64_t mebibyte = uint64_t(1) << 20;

static std::string inFolder(StringRef folder, StringRef name) {
  return fmt::format("{}/{}", folder, name);
}

/// When the folders were last looked at, in nanoseconds since the epoch, and on the next line a
/// byte for each MiB by which they grew since.
static std::string lookOf(StringRef builds) { return inFolder(builds, "trimmed"); }

static uint64_t notedSize(Files &files, StringRef folder) {
  uint64_t size = 0;
  auto text = cache::contentOf(files, inFolder(folder, BuildFolder::used));
  return text && !StringRef(*text).getAsInteger(10, size) ? size : 0;
}

void noteUse(Files &files, StringRef folder) {
  uint64_t size = 0, before = notedSize(files, folder);
  for (const std::string &name : files.list(folder))
    size += files.stat(inFolder(folder, name)).id.size;
  llvm::consumeError(
      files.write(inFolder(folder, BuildFolder::used), fmt::format("{}", size), 0600));
  uint64_t grown = size > before ? (size - before) / mebibyte : 0;
  if (grown)
    llvm::consumeError(files.append(lookOf(support::parentOf(folder)), std::string(grown, '.')));
}

namespace {
struct Used {
  std::string folder, name;
  int64_t time = 0;
  uint64_t size = 0;
};
} // namespace

/// Removes the folder unless it was used meanwhile. A folder in it stays, with what is needed to
/// come back to it.
static void remove(Files &files, cache::Store &store, const Used &used) {
  auto lock = store.lock(used.name);
  std::string marker = inFolder(used.folder, BuildFolder::used);
  if (!lock || files.stat(marker).id.mtime != used.time)
    return;
  for (StringRef file : files.list(used.folder))
    if (file != BuildFolder::used)
      files.remove(inFolder(used.folder, file));
  if (files.list(used.folder).size() == 1 && files.remove(marker))
    files.remove(used.folder);
}

/// Build folders, the longest unused one first.
static std::vector<Used> usedFolders(Files &files, StringRef builds) {
  std::vector<Used> all;
  for (const std::string &name : files.list(builds)) {
    Used used{inFolder(builds, name), name, 0, 0};
    if (files.readLink(used.folder) || !llvm::all_of(name, llvm::isHexDigit))
      continue;
    FileStatus marker = files.stat(inFolder(used.folder, BuildFolder::used));
    if (!marker.exists())
      continue;
    used.time = marker.id.mtime;
    used.size = notedSize(files, used.folder);
    all.push_back(std::move(used));
  }
  llvm::sort(all, [](const Used &a, const Used &b) { return a.time < b.time; });
  return all;
}

void trimBuilds(Files &files, cache::Store &store, StringRef builds) {
  static constexpr int64_t interval = day, unused = 14 * day;
  static constexpr uint64_t growth = 256, limit = uint64_t(5) << 30;
  std::string look = lookOf(builds);
  int64_t now = cache::currentTime(), last = 0;
  std::string text = cache::contentOf(files, look).value_or("");
  auto [time, grown] = StringRef(text).split('\n');
  bool isDue = time.getAsInteger(10, last) || now - last > interval || grown.size() >= growth;
  if (!isDue)
    return;
  llvm::consumeError(files.write(look, fmt::format("{}\n", now), 0600));
  std::vector<Used> all = usedFolders(files, builds);
  uint64_t size = 0;
  for (const Used &used : all)
    size += used.size;
  for (const Used &used : all) {
    if (now - used.time <= unused && size <= limit)
      break;
    remove(files, store, used);
    size -= used.size;
  }
}

} // namespace cudacc::ninja
