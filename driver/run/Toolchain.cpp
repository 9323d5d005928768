#include "driver/run/Toolchain.h"
#include <ctime>
#include <unistd.h>

namespace cudacc::run {

static llvm::Error fill(core::Files &files, const std::string &aside,
                        llvm::ArrayRef<std::pair<std::string, std::string>> texts,
                        llvm::ArrayRef<std::string> programs, llvm::StringRef self,
                        llvm::StringRef trailer) {
  for (const auto &[name, text] : texts)
    if (llvm::Error error = files.write(aside + "/" + name, text))
      return error;
  std::string first;
  for (const std::string &name : programs) {
    std::string path = aside + "/" + name;
    if (!first.empty()) {
      if (llvm::Error error = files.link(first, path))
        return error;
      continue;
    }
    auto bytes = files.read(self, 256 << 20);
    if (!bytes)
      return bytes.takeError();
    *bytes += trailer;
    if (llvm::Error error = files.write(path, *bytes, 0755))
      return error;
    first = path;
  }
  return llvm::Error::success();
}

static void removeTree(core::Files &files, const std::string &path) {
  if (files.stat(path).kind == core::FileStatus::Kind::Directory && !files.readLink(path))
    for (const std::string &name : files.list(path))
      removeTree(files, path + "/" + name);
  files.remove(path);
}

llvm::Error makeDirectory(core::Files &files, llvm::StringRef path,
                          llvm::ArrayRef<std::pair<std::string, std::string>> texts,
                          llvm::ArrayRef<std::string> programs, llvm::StringRef self,
                          llvm::StringRef trailer) {
  // Two processes of one number can share a store: containers do.
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::string aside = (path + "." + std::to_string(getpid()) + "-" + std::to_string(now.tv_sec) +
                       std::to_string(now.tv_nsec) + ".tmp")
                          .str();
  llvm::Error error = fill(files, aside, texts, programs, self, trailer);
  if (!error)
    error = files.rename(aside, path);
  if (!error)
    return error;
  removeTree(files, aside);
  if (files.stat(path).kind == core::FileStatus::Kind::Directory) {
    llvm::consumeError(std::move(error));
    return llvm::Error::success();
  }
  return error;
}

} // namespace cudacc::run
