// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"

namespace cudacc::support {

/// Files above others, to which everything goes that is not overridden.
class FilesAbove : public core::Files {
public:
  /// \p below outlives this.
  explicit FilesAbove(core::Files &below) : below(below) {}

  core::FileStatus stat(llvm::StringRef path) override { return below.stat(path); }
  core::FileStatus linkStat(llvm::StringRef path) override { return below.linkStat(path); }
  bool executable(llvm::StringRef path) override { return below.executable(path); }
  llvm::Expected<std::string> read(llvm::StringRef path, uint64_t limit) override {
    return below.read(path, limit);
  }
  llvm::Expected<std::unique_ptr<core::ReadableFile>> open(llvm::StringRef path) override {
    return below.open(path);
  }
  llvm::Expected<std::vector<std::string>> readDirectory(llvm::StringRef path) override {
    return below.readDirectory(path);
  }
  std::optional<std::string> realPath(llvm::StringRef path) override {
    return below.realPath(path);
  }
  std::optional<std::string> readLink(llvm::StringRef path) override {
    return below.readLink(path);
  }
  std::string workingDirectory() override { return below.workingDirectory(); }
  llvm::Error write(llvm::StringRef path, llvm::StringRef content, unsigned mode) override {
    return below.write(path, content, mode);
  }
  llvm::Error overwrite(llvm::StringRef path, llvm::StringRef content, unsigned mode) override {
    return below.overwrite(path, content, mode);
  }
  bool touch(llvm::StringRef path) override { return below.touch(path); }
  llvm::Error patch(llvm::StringRef path, uint64_t offset, llvm::StringRef bytes) override {
    return below.patch(path, offset, bytes);
  }
  llvm::Error append(llvm::StringRef path, llvm::StringRef line) override {
    return below.append(path, line);
  }
  bool remove(llvm::StringRef path) override { return below.remove(path); }
  llvm::Error makeDirectories(llvm::StringRef path, unsigned mode) override {
    return below.makeDirectories(path, mode);
  }
  llvm::Expected<std::string> makeTemporary(llvm::StringRef prefix) override {
    return below.makeTemporary(prefix);
  }
  llvm::Error link(llvm::StringRef existing, llvm::StringRef path) override {
    return below.link(existing, path);
  }
  llvm::Error makeSymlink(llvm::StringRef path, llvm::StringRef target) override {
    return below.makeSymlink(path, target);
  }
  llvm::Error rename(llvm::StringRef from, llvm::StringRef to) override {
    return below.rename(from, to);
  }
  llvm::Error exchange(llvm::StringRef one, llvm::StringRef other) override {
    return below.exchange(one, other);
  }
  std::unique_ptr<core::FileLock> lock(llvm::StringRef path, bool waits) override {
    return below.lock(path, waits);
  }
  std::string failure() const override { return below.failure(); }
  size_t denials() const override { return below.denials(); }

protected:
  core::Files &below;
};

} // namespace cudacc::support
