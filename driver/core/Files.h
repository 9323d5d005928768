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

/// An exclusive lock among all processes that ask for it, for as long as the object lives.
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
  /// Kind::None only: something may be there, but a folder on the way cannot be searched or the
  /// disk fails.
  bool unreachable = false;
  bool exists() const { return kind != Kind::None; }
};

/// A file opened for reading at any offset.
class ReadableFile {
public:
  virtual ~ReadableFile() = default;
  virtual uint64_t size() const = 0;
  /// Of the file that was opened, whatever has its name by now. Kind::None: it is not known.
  virtual FileStatus status() const { return {}; }
  /// Bytes read, less than asked only at the end of the file.
  virtual llvm::Expected<size_t> readAt(uint64_t offset, llvm::MutableArrayRef<char> out) = 0;
};

/// The disk, as seen by probe, elf and run: the real one (run/RealFiles) and one in memory for
/// tests. Paths are absolute or relative to the working directory. Errors carry a Diagnostic.
class Files {
public:
  virtual ~Files() = default;
  /// Follows links. A file that does not exist or cannot be reached is Kind::None; so is a link
  /// that leads nowhere or to itself.
  virtual FileStatus stat(llvm::StringRef path) = 0;
  virtual bool executable(llvm::StringRef path) = 0;
  virtual llvm::Expected<std::string> read(llvm::StringRef path, uint64_t limit = 16 << 20) = 0;
  virtual llvm::Expected<std::unique_ptr<ReadableFile>> open(llvm::StringRef path) = 0;
  /// Names in the directory, sorted. Error: UnreadableFile, also where only a part could be read.
  virtual llvm::Expected<std::vector<std::string>> readDirectory(llvm::StringRef path) = 0;
  /// For searches among places of which any may be missing: empty when it cannot be read. What is
  /// to be judged as a whole asks readDirectory.
  std::vector<std::string> list(llvm::StringRef path) {
    auto names = readDirectory(path);
    if (names)
      return std::move(*names);
    llvm::consumeError(names.takeError());
    return {};
  }
  /// All links resolved; nothing when the file does not exist.
  virtual std::optional<std::string> realPath(llvm::StringRef path) = 0;
  /// Target of a symbolic link; nothing when it is none.
  virtual std::optional<std::string> readLink(llvm::StringRef path) = 0;
  virtual std::string workingDirectory() = 0;
  /// Written aside and renamed; parents are made. Readers see the old or the whole new file.
  virtual llvm::Error write(llvm::StringRef path, llvm::StringRef content,
                            unsigned mode = 0644) = 0;
  /// In place, for sealing.
  virtual llvm::Error patch(llvm::StringRef path, uint64_t offset, llvm::StringRef bytes) = 0;
  virtual llvm::Error append(llvm::StringRef path, llvm::StringRef line) = 0;
  virtual bool remove(llvm::StringRef path) = 0;
  virtual llvm::Error makeDirectories(llvm::StringRef path, unsigned mode = 0755) = 0;
  virtual llvm::Error link(llvm::StringRef existing, llvm::StringRef path) = 0;
  /// A symbolic link at \p path that says \p target; parents are made.
  virtual llvm::Error makeSymlink(llvm::StringRef path, llvm::StringRef target) = 0;
  virtual llvm::Error rename(llvm::StringRef from, llvm::StringRef to) = 0;
  /// Two names change places at once: nobody sees either missing. An error where one is, or where
  /// the filesystem cannot: callers have another way.
  virtual llvm::Error exchange(llvm::StringRef one, llvm::StringRef other) = 0;
  /// Waits until no other process holds the lock at \p path, a file that is gone afterwards;
  /// parents are made. Null where none can be had there.
  virtual std::unique_ptr<FileLock> lock(llvm::StringRef path) = 0;
};

} // namespace cudacc::core
