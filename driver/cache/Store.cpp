// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/Store.h"
#include "driver/support/FileTimes.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/xxhash.h"
#include <chrono>

namespace cudacc::cache {

using namespace core;
using namespace support;

/// Version of the layout below a root; increase it if the format of kept files changes.
static constexpr llvm::StringLiteral layoutVersion = "1";
/// Limit for one kept file, in bytes; an environment with all NVIDIA wheels takes 60 KB.
static constexpr uint64_t largestKept = 1 << 20;

/// Compilers take such a path: nvcc splits values at commas and passes paths to sh in double
/// quotes, its device compiler wants UTF-8, and options that map a path have `=` behind it.
static bool isPlain(llvm::StringRef path) {
  return path.find_first_of(",$`'\"\\=") == path.npos &&
         llvm::none_of(path, [](unsigned char c) { return c < ' '; }) && llvm::json::isUTF8(path);
}

Store::Store(const Environment &environment, Files &files, unsigned uid, Keep when)
    : files(files), uid(uid), when(when) {
  llvm::StringRef data = environment.getOr("XDG_DATA_HOME");
  llvm::StringRef home = environment.getOr("HOME");
  auto add = [&](std::string path, llvm::StringRef within, bool isFallback) {
    Root &root = roots.emplace_back();
    root.within = within.str();
    root.isFallback = isFallback;
    if (!isPlain(path)) {
      root.state = State::Refused;
      root.why = fmt::format("{} has a character that compilers do not take", path);
    }
    root.path = std::move(path);
  };
  // The XDG specification says to ignore paths that are not absolute.
  if (data.starts_with("/"))
    add(fmt::format("{}/cuda-cc/{}", data, layoutVersion), "", false);
  else if (home.starts_with("/"))
    add(fmt::format("{}/.local/share/cuda-cc/{}", home, layoutVersion), home, false);
  llvm::StringRef tmp = environment.getOr("TMPDIR", "/tmp");
  if (tmp.starts_with("/"))
    add(fmt::format("{}/cuda-cc-{}", tmp, uid), tmp, true);
}

/// Files of root are trusted too, as a container image may contain a store.
bool Store::isOwn(const FileStatus &status) {
  constexpr unsigned groupWrites = 020, othersWrite = 002;
  if ((status.owner != uid && status.owner != 0) || (status.mode & othersWrite))
    return false;
  if (!(status.mode & groupWrites))
    return true;
  // By convention the user's own group has the user's number.
  if (!group)
    group = files.stat("/proc/self").exists() ? files.stat("/proc/self").group : uid + 1;
  return status.group == uid && *group == uid;
}

/// No other user can replace the user's directory in it.
bool Store::isSafeParent(const FileStatus &status) {
  constexpr unsigned sticky = 01000;
  return isOwn(status) || ((status.owner == uid || status.owner == 0) && (status.mode & sticky));
}

/// Cached; examined again after the root was created.
Store::State Store::examine(Root &root) {
  if (root.state != State::Unasked)
    return root.state;
  auto refuse = [&](llvm::StringRef place, const FileStatus &status) {
    bool isForeign = status.owner != uid && status.owner != 0;
    root.why = fmt::format("{} {}", place,
                           isForeign ? "belongs to another user" : "can be written by others");
    return root.state = State::Refused;
  };
  // What lies in TMPDIR may be another's link in one moment and gone in the next.
  FileStatus status = root.isFallback ? files.linkStat(root.path) : files.stat(root.path);
  if (!status.exists() && !root.within.empty() &&
      files.stat(root.within).kind != FileStatus::Kind::Directory) {
    root.why = root.within + " is no directory";
    return root.state = State::Refused;
  }
  if (!status.exists())
    return root.state = State::Absent;
  if (status.kind != FileStatus::Kind::Directory) {
    root.why = root.path + (files.readLink(root.path) ? " is a link" : " is not a directory");
    return root.state = State::Refused;
  }
  if (!isOwn(status) || (root.isFallback && status.owner != uid))
    return refuse(root.path, status);
  if (root.isFallback)
    return root.state = State::Private;
  // The directory `cuda-cc`, and the one for all programs' data.
  llvm::StringRef parent = parentOf(root.path);
  for (llvm::StringRef place : {parent, parentOf(parent)})
    if (FileStatus above = files.stat(place); !isSafeParent(above))
      return refuse(place, above);
  return root.state = State::Private;
}

/// Creates the root if needed; true if it is expected to be writable.
bool Store::ready(Root &root) {
  if (examine(root) != State::Absent)
    return root.state == State::Private;
  if (!couldMake(root))
    return false;
  llvm::consumeError(files.makeDirectories(root.path, root.isFallback ? 0700 : 0755));
  root.state = State::Unasked;
  return examine(root) == State::Private;
}

/// Checks the existing directories between the root and \p path.
bool Store::foldersAreOwn(const Root &root, llvm::StringRef path) {
  for (llvm::StringRef at = parentOf(path); at.size() > root.path.size(); at = parentOf(at))
    if (FileStatus folder = files.stat(at); folder.exists() && !isOwn(folder))
      return false;
  return true;
}

/// Does not replace other users' files, nor links, which may be theirs.
bool Store::mayWrite(const Root &root, llvm::StringRef path) {
  FileStatus status = files.stat(path);
  return foldersAreOwn(root, path) && !files.readLink(path) &&
         (!status.exists() || (status.owner == uid && isOwn(status)));
}

/// Checks the opened file, as its name may refer to another file by then.
std::optional<std::string> Store::readOwn(llvm::StringRef path, uint64_t limit) {
  auto file = llvm::expectedToOptional(files.open(path));
  if (!file)
    return std::nullopt;
  FileStatus status = (**file).status();
  if (status.kind != FileStatus::Kind::Regular || !isOwn(status) || status.id.size > limit)
    return std::nullopt;
  std::string text(status.id.size, '\0');
  auto got = llvm::expectedToOptional((**file).readAt(0, {text.data(), text.size()}));
  if (!got)
    return std::nullopt;
  text.resize(*got);
  return text;
}

/// Other programs open \p path by name, so no other user may be able to replace it.
bool Store::holds(const Root &root, llvm::StringRef path, llvm::StringRef text) {
  auto found = readOwn(path, text.size());
  return found && *found == text && foldersAreOwn(root, path);
}

bool Store::holds(const Root &root, const PlannedDirectory &directory) {
  if (!isOwn(files.stat(directory.path)))
    return false;
  auto inside = [&](llvm::StringRef name) { return fmt::format("{}/{}", directory.path, name); };
  for (const TreeEntry &entry : directory.entries)
    if (entry.kind == TreeEntry::Kind::File && !holds(root, inside(entry.path), entry.text))
      return false;
  return llvm::all_of(directory.programs, [&](const std::string &name) {
    FileStatus program = files.stat(inside(name));
    // Not executable in a file system mounted noexec.
    return program.kind == FileStatus::Kind::Regular && isOwn(program) &&
           foldersAreOwn(root, inside(name)) && files.executable(inside(name));
  });
}

void Store::useFallbackOnly() {
  llvm::erase_if(roots, [](const Root &root) { return !root.isFallback; });
}

std::vector<Fact> Store::refusedPlaces() {
  std::vector<Fact> facts;
  for (Root &root : roots)
    if (examine(root) == State::Refused)
      facts.push_back({"not used", root.why});
  return facts;
}

bool Store::unchanged(llvm::ArrayRef<FileId> inputs) {
  return llvm::all_of(inputs, [&](const FileId &id) {
    FileId now = files.stat(id.path).id;
    now.path = id.path;
    return now == id;
  });
}

static std::string keyOf(llvm::StringRef path) {
  return llvm::utohexstr(llvm::xxh3_64bits(path), /*LowerCase=*/true, 16);
}

void Store::writeKept() {
  when = Keep::AtOnce;
  for (const auto &[relative, text] : unwritten)
    keep(relative, text);
  unwritten.clear();
}

void Store::keep(llvm::StringRef relative, llvm::StringRef text) {
  // What was read is not the whole.
  if (!files.failure().empty())
    return;
  if (when == Keep::Later) {
    unwritten.emplace_back(relative, text);
    return;
  }
  for (Root &root : roots) {
    std::string path = fmt::format("{}/{}", root.path, relative);
    if (!ready(root) || !mayWrite(root, path))
      continue;
    if (llvm::Error error = files.write(path, text))
      llvm::consumeError(std::move(error));
    else
      return;
  }
}

/// Returns the value kept at \p relative if it can be parsed, belongs to this key, and its inputs
/// are unchanged; else the result of \p read, which is then kept.
template <typename T>
llvm::Expected<T> Store::keptOr(const std::string &relative,
                                llvm::function_ref<std::optional<T>(llvm::StringRef)> parse,
                                llvm::function_ref<bool(const T &)> isMeant,
                                llvm::function_ref<llvm::Expected<T>()> read) {
  for (Root &root : roots) {
    auto text = isUsable(root) ? readOwn(fmt::format("{}/{}", root.path, relative), largestKept)
                               : std::nullopt;
    if (!text)
      continue;
    auto facts = parse(*text);
    if (facts && isMeant(*facts) && unchanged(facts->inputs))
      return std::move(*facts);
  }
  int64_t started = std::chrono::duration_cast<std::chrono::nanoseconds>(
                        std::chrono::system_clock::now().time_since_epoch())
                        .count();
  size_t denials = files.denials();
  auto facts = read();
  bool isWhole = files.denials() == denials;
  // Inputs that change while they are read, or right after, would be taken for those that were
  // read.
  bool isSettled = facts && isWhole && llvm::none_of(facts->inputs, [&](const FileId &id) {
                     return support::mayBeAsNewAs(id, started);
                   });
  if (isSettled && !facts->inputs.empty())
    keep(relative, serialise(*facts));
  return facts;
}

llvm::Expected<Toolkit> Store::toolkit(llvm::StringRef path,
                                       llvm::function_ref<llvm::Expected<Toolkit>()> read) {
  auto isMeant = [&](const Toolkit &facts) { return facts.nvcc == path; };
  return keptOr<Toolkit>("toolkits/" + keyOf(path), parseToolkit, isMeant, read);
}

llvm::Expected<HostCompiler>
Store::hostCompiler(llvm::StringRef path, llvm::function_ref<llvm::Expected<HostCompiler>()> read) {
  auto isMeant = [&](const HostCompiler &facts) { return facts.path == path; };
  return keptOr<HostCompiler>("hosts/" + keyOf(path), parseHostCompiler, isMeant, read);
}

llvm::Expected<PythonEnvironment>
Store::environment(llvm::StringRef prefix,
                   llvm::function_ref<llvm::Expected<PythonEnvironment>()> read) {
  auto isMeant = [&](const PythonEnvironment &facts) { return facts.prefix == prefix; };
  return keptOr<PythonEnvironment>("environments/" + keyOf(prefix), parseEnvironment, isMeant,
                                   read);
}

llvm::Expected<Target> Store::target(llvm::StringRef place, llvm::StringRef question,
                                     llvm::function_ref<llvm::Expected<KeptTarget>()> read) {
  auto isMeant = [&](const KeptTarget &kept) { return kept.question == question; };
  auto ask = [&] {
    auto kept = read();
    if (kept)
      kept->question = question.str();
    return kept;
  };
  auto kept = keptOr<KeptTarget>("targets/" + keyOf(place), parseTarget, isMeant, ask);
  if (!kept)
    return kept.takeError();
  return std::move(kept->target);
}

std::optional<std::string> Store::answer(llvm::StringRef path) {
  for (Root &root : roots)
    if (isUsable(root))
      if (auto text = readOwn(fmt::format("{}/answers/{}", root.path, keyOf(path)), largestKept))
        return text;
  return std::nullopt;
}

void Store::keepAnswer(llvm::StringRef path, llvm::StringRef text) {
  keep("answers/" + keyOf(path), text);
}

/// Nothing is created in another user's directories: with sudo, HOME may still be the caller's.
bool Store::couldMake(const Root &root) {
  llvm::StringRef above = support::parentOf(root.path);
  FileStatus status;
  while (!(status = files.stat(above)).exists() && above != "/" && !above.empty())
    above = support::parentOf(above);
  return root.isFallback || isSafeParent(status);
}

std::optional<std::string> Store::place() {
  for (Root &root : roots) {
    State state = examine(root);
    if (!root.failed && (state == State::Private || (state == State::Absent && couldMake(root))))
      return root.path;
  }
  return std::nullopt;
}

/// Takes the innermost root, as TMPDIR may lie in the user's data directory.
Store::Root *Store::rootOf(llvm::StringRef path) {
  Root *innermost = nullptr;
  for (Root &root : roots)
    if (path.starts_with(root.path) && path.drop_front(root.path.size()).starts_with("/") &&
        (!innermost || root.path.size() > innermost->path.size()))
      innermost = &root;
  return innermost;
}

/// \p replaces: overwrite an existing file with other content.
bool Store::provideAt(Root &root, llvm::StringRef path, llvm::function_ref<bool()> holds,
                      llvm::function_ref<llvm::Error()> make, bool replaces) {
  if (isUsable(root) && holds())
    return true;
  root.failed = !ready(root) || (!replaces && files.stat(path).exists()) || !mayWrite(root, path);
  if (root.failed)
    return false;
  if (llvm::Error error = make()) {
    llvm::consumeError(std::move(error));
    root.failed = true;
  }
  return !root.failed;
}

bool Store::provide(const PlannedFile &file) {
  Root *root = rootOf(file.path);
  return root && provideAt(
                     *root, file.path, [&] { return holds(*root, file.path, file.content); },
                     [&] { return files.write(file.path, file.content); }, /*replaces=*/true);
}

bool Store::provide(const PlannedDirectory &directory, llvm::function_ref<llvm::Error()> make) {
  Root *root = rootOf(directory.path);
  auto isThere = [&] { return holds(*root, directory); };
  if (!root || !provideAt(*root, directory.path, isThere, make, /*replaces=*/false))
    return false;
  root->failed = !isThere();
  return !root->failed;
}

/// Removes the lock files of processes that were killed: those that nobody holds. A lock file is
/// removed on release.
static void removeAbandoned(Files &files, llvm::StringRef folder) {
  for (const std::string &name : files.list(folder)) {
    std::string path = support::joinPath(folder, name);
    if (files.stat(path).kind == FileStatus::Kind::Regular)
      files.lock(path, /*waits=*/false);
  }
}

std::unique_ptr<FileLock> Store::lock(llvm::StringRef name) {
  for (Root &root : roots) {
    std::string folder = support::joinPath(root.path, "locks");
    std::string path = support::joinPath(folder, name);
    if (!ready(root) || !mayWrite(root, path))
      continue;
    if (auto held = files.lock(path)) {
      removeAbandoned(files, folder);
      return held;
    }
  }
  return nullptr;
}

} // namespace cudacc::cache
