// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/pipeline/Progress.h"
#include "driver/pipeline/System.h"

namespace cudacc::pipeline {

/// The disk, of which every read keeps the progress line alive.
class WatchedFiles final : public core::Files {
public:
  WatchedFiles(core::Files &disk, Progress &progress) : disk(disk), progress(progress) {}

  core::FileStatus stat(llvm::StringRef path) override;
  bool executable(llvm::StringRef path) override { return disk.executable(path); }
  llvm::Expected<std::string> read(llvm::StringRef path, uint64_t limit) override;
  llvm::Expected<std::unique_ptr<core::ReadableFile>> open(llvm::StringRef path) override;
  llvm::Expected<std::vector<std::string>> readDirectory(llvm::StringRef path) override;
  std::optional<std::string> realPath(llvm::StringRef path) override { return disk.realPath(path); }
  std::optional<std::string> readLink(llvm::StringRef path) override { return disk.readLink(path); }
  std::string workingDirectory() override { return disk.workingDirectory(); }
  llvm::Error write(llvm::StringRef path, llvm::StringRef content, unsigned mode) override {
    return disk.write(path, content, mode);
  }
  llvm::Error overwrite(llvm::StringRef path, llvm::StringRef content, unsigned mode) override {
    return disk.overwrite(path, content, mode);
  }
  bool touch(llvm::StringRef path) override { return disk.touch(path); }
  llvm::Error patch(llvm::StringRef path, uint64_t offset, llvm::StringRef bytes) override {
    return disk.patch(path, offset, bytes);
  }
  llvm::Error append(llvm::StringRef path, llvm::StringRef line) override {
    return disk.append(path, line);
  }
  bool remove(llvm::StringRef path) override { return disk.remove(path); }
  llvm::Error makeDirectories(llvm::StringRef path, unsigned mode) override {
    return disk.makeDirectories(path, mode);
  }
  llvm::Error link(llvm::StringRef existing, llvm::StringRef path) override {
    return disk.link(existing, path);
  }
  llvm::Error makeSymlink(llvm::StringRef path, llvm::StringRef target) override {
    return disk.makeSymlink(path, target);
  }
  llvm::Error rename(llvm::StringRef from, llvm::StringRef to) override {
    return disk.rename(from, to);
  }
  llvm::Error exchange(llvm::StringRef one, llvm::StringRef other) override {
    return disk.exchange(one, other);
  }
  std::unique_ptr<core::FileLock> lock(llvm::StringRef path, bool waits) override {
    return disk.lock(path, waits);
  }

private:
  core::Files &disk;
  Progress &progress;
};

/// The console, which removes the progress line before anything is printed.
class WatchedConsole final : public run::Console {
public:
  WatchedConsole(run::Console &real, Progress &progress) : real(real), progress(progress) {}

  void out(llvm::StringRef text) override {
    progress.clear();
    real.out(text);
  }
  void err(llvm::StringRef text) override {
    progress.clear();
    real.err(text);
  }
  long in(llvm::MutableArrayRef<char> buffer) override { return real.in(buffer); }
  int outError() override { return real.outError(); }
  bool inIsTerminal() override { return real.inIsTerminal(); }
  bool outIsTerminal() override { return real.outIsTerminal(); }
  bool errIsTerminal() override { return real.errIsTerminal(); }

private:
  run::Console &real;
  Progress &progress;
};

/// \p real with a progress line. \p real must outlive this.
struct Watched {
  explicit Watched(System &real);
  Progress progress;
  WatchedFiles files;
  WatchedConsole console;
  System system;
};

/// Whether somebody watches stderr who can read a line that is rewritten.
bool isWatched(System &system);

} // namespace cudacc::pipeline
