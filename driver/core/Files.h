// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Toolkit.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::core {

/// An exclusive lock against all processes that request it. Released by the destructor.
class FileLock {
public:
  virtual ~FileLock() = default;
};

struct FileStatus {
  enum class Kind { None, Regular, Directory, Other };
  Kind kind = Kind::None;
  FileId id;
  unsigned mode = 0;
  unsigned owner = 0;
  unsigned group = 0;
  /// With Kind::None only: the file may exist, but a directory on its path cannot be searched or
  /// the disk failed.
  bool unreachable = false;
  bool exists() const { return kind != Kind::None; }
};

/// A file opened for random-access reads.
class ReadableFile {
public:
  virtual ~ReadableFile() = default;
  virtual uint64_t size() const = 0;
  /// Status of the file that was opened, even if the name is now another's. Kind::None: not known.
  virtual FileStatus status() const { return {}; }
  /// Returns the number of bytes read, which is less than requested only at the end of the file.
  virtual llvm::Expected<size_t> readAt(uint64_t offset, llvm::MutableArrayRef<char> out) = 0;
};

/// The file system: the real one (run/RealFiles) or one in memory for tests. Paths are absolute or
/// relative to the working directory. Errors carry a Finding.
class Files {
public:
  virtual ~Files() = default;
  /// Follows symbolic links. Returns Kind::None for a file that does not exist or cannot be
  /// reached, and for a dangling or circular link.
  virtual FileStatus stat(llvm::StringRef path) = 0;
  /// The same of a symbolic link itself, which is Kind::Other.
  virtual FileStatus linkStat(llvm::StringRef path) = 0;
  virtual bool executable(llvm::StringRef path) = 0;
  virtual llvm::Expected<std::string> read(llvm::StringRef path, uint64_t limit = 16 << 20) = 0;
  virtual llvm::Expected<std::unique_ptr<ReadableFile>> open(llvm::StringRef path) = 0;
  /// Names in the directory, sorted. Error: UnreadableFile, even if a part of it could be read.
  virtual llvm::Expected<std::vector<std::string>> readDirectory(llvm::StringRef path) = 0;
  /// For searches over directories that may be missing: empty if the directory cannot be read. Use
  /// readDirectory where an incomplete answer would be wrong.
  std::vector<std::string> list(llvm::StringRef path) {
    auto names = readDirectory(path);
    if (names)
      return std::move(*names);
    llvm::consumeError(names.takeError());
    return {};
  }
  /// The path with all links resolved. std::nullopt if the file does not exist.
  virtual std::optional<std::string> realPath(llvm::StringRef path) = 0;
  /// Target of a symbolic link. std::nullopt if \p path is not one.
  virtual std::optional<std::string> readLink(llvm::StringRef path) = 0;
  virtual std::string workingDirectory() = 0;
  /// Writes a temporary file and renames it; creates parents. Readers see the old or the whole new
  /// file, never a part.
  virtual llvm::Error write(llvm::StringRef path, llvm::StringRef content,
                            unsigned mode = 0644) = 0;
  /// Writes as compilers do: into the file that is there, through links, or into a new one. A
  /// failure may leave a part.
  virtual llvm::Error overwrite(llvm::StringRef path, llvm::StringRef content,
                                unsigned mode = 0666) = 0;
  /// Gives an existing file the current time.
  virtual bool touch(llvm::StringRef path) = 0;
  /// Overwrites bytes in place; used to seal a manifest.
  virtual llvm::Error patch(llvm::StringRef path, uint64_t offset, llvm::StringRef bytes) = 0;
  virtual llvm::Error append(llvm::StringRef path, llvm::StringRef line) = 0;
  virtual bool remove(llvm::StringRef path) = 0;
  virtual llvm::Error makeDirectories(llvm::StringRef path, unsigned mode = 0755) = 0;
  /// Makes a directory for this user alone, whose name begins with \p prefix and cannot be
  /// foreseen: nothing that others prepared is taken for it.
  virtual llvm::Expected<std::string> makeTemporary(llvm::StringRef prefix) = 0;
  virtual llvm::Error link(llvm::StringRef existing, llvm::StringRef path) = 0;
  /// Creates a symbolic link at \p path with the text \p target, and the parent directories.
  virtual llvm::Error makeSymlink(llvm::StringRef path, llvm::StringRef target) = 0;
  virtual llvm::Error rename(llvm::StringRef from, llvm::StringRef to) = 0;
  /// Swaps two names atomically: neither is ever missing. Error if one does not exist or if the
  /// filesystem does not support it; callers have a fallback.
  virtual llvm::Error exchange(llvm::StringRef one, llvm::StringRef other) = 0;
  /// Waits until no other process holds the lock, unless \p waits is false. \p path is a lock file,
  /// which is removed on release; parent directories are created. Null if no lock can be taken
  /// there.
  virtual std::unique_ptr<FileLock> lock(llvm::StringRef path, bool waits = true) = 0;
  /// The first file about which nothing could be determined since the system failed (an I/O error,
  /// too many open files), and why. A search has gone past it as if it did not exist, so no verdict
  /// may follow. Empty: nothing failed.
  virtual std::string failure() const { return {}; }
  /// How many files and directories the user was not allowed to read. What was found without them
  /// must not outlive the call.
  virtual size_t denials() const { return 0; }
};

} // namespace cudacc::core
