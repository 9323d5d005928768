// SPDX-License-Identifier: Apache-2.0
#include "driver/run/Toolchain.h"
#include "driver/core/Diagnostic.h"
#include "driver/versions/Format.h"
#include <ctime>
#include <unistd.h>

namespace cudacc::run {

using core::TreeEntry;
using support::MadeFiles;

/// A program copied from a toolchain directory still ends in that directory's trailer.
static void dropTrailer(std::string &bytes, llvm::StringRef trailer) {
  llvm::StringRef mark = trailer.take_front(trailer.find(':') + 1);
  if (!mark.empty() && llvm::StringRef(bytes).take_back(trailer.size()).starts_with(mark))
    bytes.resize(bytes.size() - trailer.size());
}

static llvm::Error fill(core::Files &files, const std::string &aside,
                        const DirectoryContent &content) {
  if (llvm::Error error = files.makeDirectories(aside))
    return error;
  for (const TreeEntry &entry : content.entries) {
    std::string path = fmt::format("{}/{}", aside, entry.path);
    llvm::Error error = entry.kind == TreeEntry::Kind::Link
                            ? files.makeSymlink(path, entry.text)
                            : files.write(path, entry.text, content.readOnly ? 0444 : 0644);
    if (error)
      return error;
  }
  std::string first;
  for (const std::string &name : content.programs) {
    std::string path = fmt::format("{}/{}", aside, name);
    if (!first.empty()) {
      if (llvm::Error error = files.link(first, path))
        return error;
      continue;
    }
    auto bytes = files.read(content.self, 256 << 20);
    if (!bytes)
      return bytes.takeError();
    dropTrailer(*bytes, content.trailer);
    *bytes += content.trailer;
    if (llvm::Error error = files.write(path, *bytes, content.readOnly ? 0555 : 0755))
      return error;
    first = path;
  }
  return llvm::Error::success();
}

static bool isDirectory(core::Files &files, llvm::StringRef path) {
  return files.stat(path).kind == core::FileStatus::Kind::Directory;
}

void removeTree(core::Files &files, const std::string &path) {
  if (isDirectory(files, path) && !files.readLink(path))
    for (const std::string &name : files.list(path))
      removeTree(files, fmt::format("{}/{}", path, name));
  files.remove(path);
}

/// The list of created files of the directory at \p path, or \p known if it has none.
static MadeFiles madeFiles(core::Files &files, const std::string &path, const MadeFiles &known) {
  auto text = llvm::expectedToOptional(files.read(fmt::format("{}/{}", path, MadeFiles::name)));
  if (!text)
    return known;
  return MadeFiles::parse(*text).value_or(known);
}

static bool endsIn(core::Files &files, const std::string &path, llvm::StringRef text) {
  auto file = llvm::expectedToOptional(files.open(path));
  if (!file)
    return false;
  uint64_t size = (**file).size();
  if (size < text.size())
    return false;
  std::string end(text.size(), '\0');
  auto got = llvm::expectedToOptional(
      (**file).readAt(size - end.size(), llvm::MutableArrayRef<char>(end.data(), end.size())));
  return got == end.size() && text == end;
}

/// True if the file or link at \p path is as it was created.
static bool isAsMade(core::Files &files, const std::string &path, const MadeFiles &made,
                     const MadeFiles::File &file) {
  using Kind = MadeFiles::File::Kind;
  auto link = files.readLink(path);
  if (link)
    return file.kind == Kind::Unknown || (file.kind == Kind::Link && *link == file.text);
  core::FileStatus status = files.stat(path);
  if (status.kind != core::FileStatus::Kind::Regular)
    return false;
  if (file.kind == Kind::Program)
    return !made.fingerprint.empty() && endsIn(files, path, made.fingerprint);
  // All files that cuda-cc writes there are read-only.
  if (file.kind == Kind::Unknown)
    return (status.mode & 0222) == 0;
  if (file.kind != Kind::File)
    return false;
  auto content = llvm::expectedToOptional(files.read(path));
  return content && MadeFiles::digest(*content) == file.text;
}

static void addForeign(core::Files &files, const std::string &root, const std::string &folder,
                       const MadeFiles &made, ForeignFiles &foreign) {
  for (const std::string &name : files.list(fmt::format("{}/{}", root, folder))) {
    std::string inside = folder + name, path = fmt::format("{}/{}", root, inside);
    bool isFolder = isDirectory(files, path) && !files.readLink(path);
    auto file = made.files.find(inside);
    bool isOwnFolder = made.folders.count(inside) != 0;
    if (isFolder && isOwnFolder)
      addForeign(files, root, inside + "/", made, foreign);
    else if (isFolder)
      foreign.added.push_back(inside + "/");
    else if (isOwnFolder)
      foreign.changed.push_back(inside);
    else if (file != made.files.end()) {
      if (!isAsMade(files, path, made, file->second))
        foreign.changed.push_back(inside);
    } else if (inside != MadeFiles::name) {
      foreign.added.push_back(inside);
    }
  }
}

ForeignFiles findForeignFiles(core::Files &files, llvm::StringRef path, const MadeFiles &known) {
  std::string root = path.str();
  // Another process may replace the directory during the scan.
  for (int attempts = 0;; ++attempts) {
    MadeFiles made = madeFiles(files, root, known);
    ForeignFiles foreign;
    addForeign(files, root, "", made, foreign);
    if (foreign.empty() || attempts == 100 ||
        madeFiles(files, root, known).serialise() == made.serialise())
      return foreign;
  }
}

/// Removes from an old directory, already renamed, only what cuda-cc created. Files added since the
/// scan stay.
static llvm::Error removeMade(core::Files &files, const std::string &path, llvm::StringRef place,
                              const MadeFiles &known) {
  MadeFiles made = madeFiles(files, path, known);
  for (const auto &[inside, file] : made.files)
    if (std::string each = fmt::format("{}/{}", path, inside); isAsMade(files, each, made, file))
      files.remove(each);
  files.remove(fmt::format("{}/{}", path, MadeFiles::name));
  // Parent folders come before their subfolders in the list.
  for (auto folder = made.folders.rbegin(); folder != made.folders.rend(); ++folder)
    if (std::string each = fmt::format("{}/{}", path, *folder);
        isDirectory(files, each) && !files.readLink(each))
      files.remove(each);
  if (!isDirectory(files, path) || files.remove(path))
    return llvm::Error::success();
  return core::makeError(core::Code::ForeignFiles,
                         "a file was added to the old toolchain directory",
                         {{"directory", place.str()}, {"it lies in", path}},
                         {fmt::format("look through {}, then remove it", path)});
}

/// A name beside \p path that no other process uses. Processes in different containers may share
/// both a folder and a PID.
static std::string besides(llvm::StringRef path, llvm::StringRef ending) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return fmt::format("{}.{}-{}{}{}", path, getpid(), now.tv_sec, now.tv_nsec, ending);
}

llvm::Error makeDirectory(core::Files &files, llvm::StringRef path,
                          const DirectoryContent &content) {
  std::string aside = besides(path, ".tmp");
  if (llvm::Error error = fill(files, aside, content)) {
    removeTree(files, aside);
    return error;
  }
  llvm::Error error = files.rename(aside, path);
  if (!error)
    return error;
  removeTree(files, aside);
  if (!isDirectory(files, path))
    return error;
  llvm::consumeError(std::move(error));
  return llvm::Error::success();
}

llvm::Error replaceDirectory(core::Files &files, llvm::StringRef path,
                             const DirectoryContent &content, const MadeFiles &known) {
  std::string aside = besides(path, ".tmp"), old = besides(path, ".old");
  if (llvm::Error error = fill(files, aside, content)) {
    removeTree(files, aside);
    return error;
  }
  llvm::Error error = files.exchange(aside, path);
  if (!error)
    return removeMade(files, aside, path, known);
  // Other processes may replace the directory too, and fill the place while it is empty.
  for (int attempts = 0; attempts < 100; ++attempts) {
    llvm::consumeError(std::move(error));
    error = files.rename(path, old);
    if (error && files.stat(path).exists())
      break;
    llvm::consumeError(std::move(error));
    error = files.rename(aside, path);
    if (error && !isDirectory(files, path)) {
      llvm::consumeError(files.rename(old, path));
      break;
    }
    bool placed = !error;
    llvm::consumeError(std::move(error));
    llvm::Error left = removeMade(files, old, path, known);
    if (left && !placed)
      removeTree(files, aside);
    if (left || placed)
      return left;
    error = core::makeError(core::Code::CannotWrite, fmt::format("cannot write {}", path));
  }
  removeTree(files, aside);
  return error;
}

} // namespace cudacc::run
