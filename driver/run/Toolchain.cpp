#include "driver/run/Toolchain.h"
#include <ctime>
#include <unistd.h>

namespace cudacc::run {

using core::TreeEntry;

/// A program that lies in a toolchain directory has that one's trailer.
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
    std::string path = aside + "/" + entry.path;
    llvm::Error error = entry.kind == TreeEntry::Kind::Link
                            ? files.makeSymlink(path, entry.text)
                            : files.write(path, entry.text, content.readOnly ? 0444 : 0644);
    if (error)
      return error;
  }
  std::string first;
  for (const std::string &name : content.programs) {
    std::string path = aside + "/" + name;
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

static void removeTree(core::Files &files, const std::string &path) {
  if (isDirectory(files, path) && !files.readLink(path))
    for (const std::string &name : files.list(path))
      removeTree(files, path + "/" + name);
  files.remove(path);
}

/// A name beside \p path that no other process has. Two processes of one number can share a folder:
/// containers do.
static std::string besides(llvm::StringRef path, llvm::StringRef ending) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (path + "." + std::to_string(getpid()) + "-" + std::to_string(now.tv_sec) +
          std::to_string(now.tv_nsec) + ending)
      .str();
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
                             const DirectoryContent &content) {
  std::string aside = besides(path, ".tmp"), old = besides(path, ".old");
  if (llvm::Error error = fill(files, aside, content)) {
    removeTree(files, aside);
    return error;
  }
  llvm::Error error = files.exchange(aside, path);
  if (!error) {
    removeTree(files, aside);
    return error;
  }
  // Other processes replace it, too, and one of them may fill the place while it is empty.
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
    removeTree(files, old);
    if (!error)
      return error;
  }
  removeTree(files, aside);
  return error;
}

} // namespace cudacc::run
