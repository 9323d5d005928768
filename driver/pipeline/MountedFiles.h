// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include <functional>
#include <map>
#include <set>

namespace cudacc::pipeline {

/// The disk, overlaid with the files of a package at the paths where they will be installed. A
/// mounted file is found under its absolute path and reads as the file behind it; symbolic links to
/// it are not followed. Writes go to the disk.
class MountedFiles : public core::Files {
public:
  using Opener = std::function<llvm::Expected<std::unique_ptr<core::ReadableFile>>()>;

  /// \p disk outlives this.
  explicit MountedFiles(core::Files &disk) : disk(disk) {}

  /// \p path is absolute, without `.` and `..`. \p id is what stat returns for it. If the path is
  /// mounted already, the earlier file stays.
  void mount(std::string path, core::FileId id, Opener open);
  /// Paths below \p folder that neither exist on the disk nor are mounted map to the same paths
  /// below \p root.
  void mountFolder(std::string folder, std::string root);
  bool empty() const { return files.empty() && folders.empty(); }

  core::FileStatus stat(llvm::StringRef path) override;
  bool executable(llvm::StringRef path) override { return disk.executable(translated(path)); }
  llvm::Expected<std::string> read(llvm::StringRef path, uint64_t limit) override;
  llvm::Expected<std::unique_ptr<core::ReadableFile>> open(llvm::StringRef path) override;
  llvm::Expected<std::vector<std::string>> readDirectory(llvm::StringRef path) override;
  std::optional<std::string> realPath(llvm::StringRef path) override;
  std::optional<std::string> readLink(llvm::StringRef path) override;
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
  struct Mounted {
    core::FileId id;
    Opener open;
  };

  core::Files &disk;
  std::map<std::string, Mounted, std::less<>> files;
  /// Mounted folders and the root that each maps to.
  std::map<std::string, std::string> folders;
  /// Folders that exist only because something is mounted in them; `..` cannot leave them.
  std::set<std::string, std::less<>> made;

  const Mounted *find(llvm::StringRef path) const;
  bool leavesMade(llvm::StringRef path) const;
  std::string translated(llvm::StringRef path);
};

} // namespace cudacc::pipeline
