// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/Subcommands.h"
#include "driver/pipeline/Fetched.h"
#include "driver/report/json/Json.h"
#include "driver/report/text/Layout.h"
#include "driver/run/Toolchain.h"
#include "driver/support/Json.h"
#include "driver/support/Paths.h"
#include "driver/support/Text.h"

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

namespace {

struct CacheArguments : Arguments {};

/// A toolkit that is kept.
struct KeptToolkit {
  std::string key, path, release, machine;
  /// On disk.
  uint64_t bytes = 0;
  /// What of it cannot be read.
  std::string unread;
};

} // namespace

static uint64_t sizeOf(Files &files, const std::string &path, std::string &unread) {
  if (files.readLink(path))
    return 0;
  FileStatus status = files.stat(path);
  if (status.unreachable)
    unread = path;
  if (status.kind != FileStatus::Kind::Directory)
    return status.id.size;
  auto names = llvm::expectedToOptional(files.readDirectory(path));
  if (!names) {
    unread = path;
    return 0;
  }
  uint64_t sum = 0;
  for (const std::string &name : *names)
    sum += sizeOf(files, support::joinPath(path, name), unread);
  return sum;
}

static llvm::Expected<std::vector<KeptToolkit>> keptIn(Files &files, const std::string &folder) {
  std::vector<KeptToolkit> all;
  FileStatus status = files.stat(folder);
  if (!status.exists() && !status.unreachable)
    return all;
  auto names = files.readDirectory(folder);
  if (!names)
    return names.takeError();
  for (const std::string &name : *names) {
    if (StringRef(name).starts_with("."))
      continue;
    KeptToolkit kept{name, support::joinPath(folder, name), {}, {}, 0, {}};
    kept.bytes = sizeOf(files, kept.path, kept.unread);
    std::string facts = support::joinPath(kept.path, "fetched.json");
    support::TextError error;
    auto text = llvm::expectedToOptional(files.read(facts));
    auto value = text ? support::readJson(*text, error) : std::nullopt;
    if (value) {
      kept.release = value->textAt("release").str();
      kept.machine = value->textAt("machine").str();
    }
    all.push_back(std::move(kept));
  }
  return all;
}

static llvm::Expected<int> list(pipeline::System &system, const CacheArguments &arguments,
                                const std::string &folder) {
  auto kept = keptIn(system.files, folder);
  if (!kept)
    return kept.takeError();
  for (const KeptToolkit &each : *kept)
    if (!each.unread.empty())
      return makeError(Code::UnreadableFile, fmt::format("cannot read {}", each.unread));
  if (arguments.json) {
    llvm::json::Array rows;
    for (const KeptToolkit &each : *kept)
      rows.push_back(llvm::json::Object{{"key", llvm::json::fixUTF8(each.key)},
                                        {"path", llvm::json::fixUTF8(each.path)},
                                        {"release", llvm::json::fixUTF8(each.release)},
                                        {"machine", llvm::json::fixUTF8(each.machine)},
                                        {"bytes", each.bytes}});
    system.console.out(report::print(llvm::json::Object{
        {"schema", 1}, {"folder", llvm::json::fixUTF8(folder)}, {"toolkits", std::move(rows)}}));
    return 0;
  }
  std::vector<std::vector<std::string>> rows;
  for (const KeptToolkit &each : *kept)
    rows.push_back({report::printable(each.key), support::bytesText(each.bytes)});
  system.console.out(rows.empty() ? fmt::format("{}: empty\n", report::printable(folder))
                                  : report::table(rows, 0));
  return 0;
}

/// Null: a process holds it.
static llvm::Expected<std::unique_ptr<FileLock>> lockOf(Files &files, StringRef folder,
                                                        StringRef key) {
  std::string path = fmt::format("{}/.locks/{}", folder, key);
  auto lock = files.lock(path, /*waits=*/false);
  // Else it cannot be taken.
  if (!lock)
    if (llvm::Error error = files.append(path, ""))
      return error;
  return lock;
}

/// Whether any process holds the lock of a toolkit; those of killed ones are removed.
static bool isFetching(Files &files, const std::string &folder) {
  std::string locks = support::joinPath(folder, ".locks");
  return llvm::any_of(files.list(locks), [&](const std::string &name) {
    return !files.lock(support::joinPath(locks, name), /*waits=*/false);
  });
}

/// Removes toolkits and what is left of interrupted downloads; what is being fetched stays.
static llvm::Expected<int> prune(pipeline::System &system, llvm::ArrayRef<std::string> keys,
                                 const std::string &folder) {
  auto kept = keptIn(system.files, folder);
  if (!kept)
    return kept.takeError();
  for (const std::string &key : keys)
    if (llvm::none_of(*kept, [&](const KeptToolkit &each) { return each.key == key; }))
      return makeError(Code::Usage, "there is no such toolkit",
                       {{"searched", support::joinPath(folder, key)}}, {"cuda-cc cache list"});
  std::vector<std::vector<std::string>> rows;
  for (const KeptToolkit &each : *kept) {
    if (!keys.empty() && !llvm::is_contained(keys, each.key))
      continue;
    auto lock = lockOf(system.files, folder, each.key);
    if (!lock)
      return lock.takeError();
    if (!*lock) {
      rows.push_back({report::printable(each.key), "is being fetched"});
      continue;
    }
    // Renamed first, so that a part of it is never taken for the whole.
    std::string aside = fmt::format("{}/.partial-{}", folder, each.key);
    run::removeTree(system.files, aside);
    if (llvm::Error error = system.files.rename(each.path, aside))
      return error;
    run::removeTree(system.files, aside);
    if (system.files.stat(aside).exists())
      return makeError(Code::CannotWrite, fmt::format("cannot remove {}", aside), {},
                       {"cuda-cc cache prune"});
    rows.push_back(
        {report::printable(each.key), fmt::format("removed, {}", support::bytesText(each.bytes))});
  }
  if (keys.empty()) {
    bool isBusy = isFetching(system.files, folder);
    for (const std::string &name : system.files.list(folder)) {
      StringRef key = name;
      std::string path = support::joinPath(folder, name);
      // Downloads are shared by all that fetch.
      if (name == ".downloads" && !isBusy)
        run::removeTree(system.files, path);
      if (!key.consume_front(".partial-"))
        continue;
      auto lock = lockOf(system.files, folder, key);
      if (!lock)
        return lock.takeError();
      if (*lock)
        run::removeTree(system.files, path);
    }
  }
  system.console.out(rows.empty() ? "nothing to remove\n" : report::table(rows, 0));
  return 0;
}

static llvm::Expected<int> manageCache(pipeline::System &system, const CacheArguments &arguments) {
  std::string place = pipeline::cachePlace(system.environment);
  if (place.empty())
    return makeError(Code::Usage, "there is no place for a cache",
                     {{"searched", "XDG_CACHE_HOME, HOME"}}, {"set XDG_CACHE_HOME"});
  std::string folder = pipeline::toolkitsPlace(place);
  llvm::ArrayRef<std::string> words = arguments.words;
  StringRef what = words.empty() ? StringRef() : StringRef(words.front());
  if (what == "prune") {
    if (auto foreign = pipeline::foreignCache(system, place))
      return makeError(std::move(*foreign));
    return prune(system, words.drop_front(), folder);
  }
  if (words.size() != 1 || (what != "list" && what != "dir"))
    return usageError("cuda-cc cache takes list, prune [KEY...] or dir");
  if (what == "list")
    return list(system, arguments, folder);
  system.console.out(folder + "\n");
  return 0;
}

static constexpr Option<CacheArguments> cacheOptions[] = {
    {"--format", &CacheArguments::format, "text json"},
};

constexpr SubcommandBody cacheSubcommand = bodyOf<cacheOptions, manageCache>();

} // namespace cudacc::commands
