// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include <atomic>
#include <mutex>
#include <sys/stat.h>

namespace cudacc::run {

/// The file system of this machine.
class RealFiles final : public core::Files {
public:
  core::FileStatus stat(llvm::StringRef path) override;
  core::FileStatus linkStat(llvm::StringRef path) override;
  bool executable(llvm::StringRef path) override;
  llvm::Expected<std::string> read(llvm::StringRef path, uint64_t limit) override;
  llvm::Expected<std::unique_ptr<core::ReadableFile>> open(llvm::StringRef path) override;
  llvm::Expected<std::vector<std::string>> readDirectory(llvm::StringRef path) override;
  std::optional<std::string> realPath(llvm::StringRef path) override;
  std::optional<std::string> readLink(llvm::StringRef path) override;
  std::string workingDirectory() override;
  llvm::Error write(llvm::StringRef path, llvm::StringRef content, unsigned mode) override;
  llvm::Error overwrite(llvm::StringRef path, llvm::StringRef content, unsigned mode) override;
  bool touch(llvm::StringRef path) override;
  llvm::Error patch(llvm::StringRef path, uint64_t offset, llvm::StringRef bytes) override;
  llvm::Error append(llvm::StringRef path, llvm::StringRef line) override;
  bool remove(llvm::StringRef path) override;
  llvm::Error makeDirectories(llvm::StringRef path, unsigned mode) override;
  llvm::Expected<std::string> makeTemporary(llvm::StringRef prefix) override;
  llvm::Error link(llvm::StringRef existing, llvm::StringRef path) override;
  llvm::Error makeSymlink(llvm::StringRef path, llvm::StringRef target) override;
  llvm::Error rename(llvm::StringRef from, llvm::StringRef to) override;
  llvm::Error exchange(llvm::StringRef one, llvm::StringRef other) override;
  std::unique_ptr<core::FileLock> lock(llvm::StringRef path, bool waits = true) override;
  std::string failure() const override;
  size_t denials() const override { return denied; }
  /// Keeps it for failure(), if \p error is one of the system's.
  void note(llvm::StringRef path, int error);

private:
  std::atomic<bool> hasFailed = false;
  std::atomic<size_t> denied = 0;
  mutable std::mutex mutex;
  std::string firstFailure;

  /// The error of a file or directory that could not be opened or read.
  llvm::Error unreadable(llvm::StringRef path, int error);
  core::FileStatus statusBy(int (*call)(const char *, struct ::stat *), llvm::StringRef path);
};

} // namespace cudacc::run
