// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/Watched.h"

namespace cudacc::pipeline {

using namespace core;

namespace {

class WatchedFile final : public ReadableFile {
public:
  WatchedFile(std::unique_ptr<ReadableFile> file, std::string path, Progress &progress)
      : file(std::move(file)), path(std::move(path)), progress(progress) {}

  uint64_t size() const override { return file->size(); }
  FileStatus status() const override { return file->status(); }
  llvm::Expected<size_t> readAt(uint64_t offset, llvm::MutableArrayRef<char> out) override {
    auto got = file->readAt(offset, out);
    progress.goOn(path);
    return got;
  }

private:
  std::unique_ptr<ReadableFile> file;
  std::string path;
  Progress &progress;
};

} // namespace

FileStatus WatchedFiles::stat(llvm::StringRef path) {
  progress.goOn(path);
  return below.stat(path);
}

llvm::Expected<std::string> WatchedFiles::read(llvm::StringRef path, uint64_t limit) {
  auto text = below.read(path, limit);
  progress.goOn(path);
  return text;
}

llvm::Expected<std::unique_ptr<ReadableFile>> WatchedFiles::open(llvm::StringRef path) {
  auto file = below.open(path);
  if (!file)
    return file;
  return std::make_unique<WatchedFile>(std::move(*file), path.str(), progress);
}

llvm::Expected<std::vector<std::string>> WatchedFiles::readDirectory(llvm::StringRef path) {
  auto names = below.readDirectory(path);
  progress.goOn(path);
  return names;
}

Watched::Watched(System &real)
    : progress(real.console, real.clock), files(real.files, progress),
      console(real.console, progress), system(real.above(files, console, &progress)) {}

bool isWatched(System &system) {
  return system.console.errIsTerminal() && system.environment.getOr("TERM") != "dumb" &&
         system.environment.getOr("CI").empty();
}

} // namespace cudacc::pipeline
