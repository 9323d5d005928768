// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/archive/Wheel.h"

namespace cudacc::binary {

/// Writes a wheel from its first entry to its last, in constant memory; zip64 where sizes need it.
/// The same calls give the same bytes. The file is complete after `finish`; callers write it in a
/// folder of their own and rename it then. Every error is CannotWrite or one of the entry's.
class WheelWriter {
public:
  /// \p path must not exist.
  WheelWriter(core::Files &files, std::string path);
  ~WheelWriter();

  /// Adds an entry of \p wheel under its name, compressed as it is there. Its content is not read.
  /// \p like: whose permissions and date it gets.
  llvm::Error copy(core::ReadableFile &wheel, const WheelEntry &entry, const WheelEntry &like);
  /// Adds a file, compressed. Returns its digest as RECORD has it (Digest.h).
  llvm::Expected<std::string> add(llvm::StringRef name, core::ReadableFile &content,
                                  const WheelEntry &like);
  llvm::Expected<std::string> add(llvm::StringRef name, llvm::StringRef content,
                                  const WheelEntry &like);
  llvm::Error finish();
  /// Bytes so far.
  uint64_t size() const { return flushed + buffer.size(); }

private:
  /// What the directory says of an entry.
  struct Written {
    std::string name;
    uint64_t size = 0, compressedSize = 0, offset = 0;
    uint32_t crc = 0, attributes = 0, stamp = 0;
    uint16_t method = 0;
    /// Its local header has room for zip64 sizes.
    bool isLarge = false;
  };
  class Deflater;

  core::Files &files;
  std::string path;
  std::string buffer;
  uint64_t flushed = 0;
  std::vector<Written> entries;

  static std::string localHeader(const Written &entry);
  static std::string directoryRecord(const Written &entry);
  llvm::Error write(llvm::StringRef bytes);
  llvm::Error flush();
};

} // namespace cudacc::binary
