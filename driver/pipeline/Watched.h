// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/pipeline/Progress.h"
#include "driver/pipeline/System.h"
#include "driver/support/FilesAbove.h"

namespace cudacc::pipeline {

/// The disk, of which every read keeps the progress line alive.
class WatchedFiles final : public support::FilesAbove {
public:
  WatchedFiles(core::Files &disk, Progress &progress) : FilesAbove(disk), progress(progress) {}

  core::FileStatus stat(llvm::StringRef path) override;
  llvm::Expected<std::string> read(llvm::StringRef path, uint64_t limit) override;
  llvm::Expected<std::unique_ptr<core::ReadableFile>> open(llvm::StringRef path) override;
  llvm::Expected<std::vector<std::string>> readDirectory(llvm::StringRef path) override;

private:
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
