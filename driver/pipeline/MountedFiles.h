// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/support/FilesAbove.h"
#include <functional>
#include <map>
#include <set>

namespace cudacc::pipeline {

/// The disk, overlaid with the files of a package at the paths where they will be installed. A
/// mounted file is found under its absolute path and reads as the file behind it; symbolic links to
/// it are not followed. Writes go to the disk.
class MountedFiles final : public support::FilesAbove {
public:
  using Opener = std::function<llvm::Expected<std::unique_ptr<core::ReadableFile>>()>;

  /// \p disk outlives this.
  explicit MountedFiles(core::Files &disk) : FilesAbove(disk) {}

  /// \p path is absolute, without `.` and `..`. \p id is what stat returns for it. If the path is
  /// mounted already, the earlier file stays.
  void mount(std::string path, core::FileId id, Opener open);
  /// Paths below \p folder that neither exist on the disk nor are mounted map to the same paths
  /// below \p root.
  void mountFolder(std::string folder, std::string root);
  bool empty() const { return files.empty() && folders.empty(); }

  core::FileStatus stat(llvm::StringRef path) override;
  bool executable(llvm::StringRef path) override { return below.executable(translated(path)); }
  llvm::Expected<std::string> read(llvm::StringRef path, uint64_t limit) override;
  llvm::Expected<std::unique_ptr<core::ReadableFile>> open(llvm::StringRef path) override;
  llvm::Expected<std::vector<std::string>> readDirectory(llvm::StringRef path) override;
  std::optional<std::string> realPath(llvm::StringRef path) override;
  std::optional<std::string> readLink(llvm::StringRef path) override;

private:
  struct Mounted {
    core::FileId id;
    Opener open;
  };

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
