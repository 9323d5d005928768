// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::binary {

class InflateBudget;

/// A file in a wheel, as listed in the central directory.
struct WheelEntry {
  /// Relative, with slashes, without `.`, `..` and empty components; unique.
  std::string name;
  uint64_t size = 0, compressedSize = 0;
  uint32_t crc = 0;
  /// Compression method of the zip format: 0 stored, 8 deflated; others are not supported.
  uint16_t method = 0;
  bool encrypted = false;
  /// Permissions, in the upper half as zipfile writes them; MS-DOS date (upper half) and time.
  uint32_t attributes = 0, stamp = 0;
  /// Offset of the local header, and of whatever follows the entry's data.
  uint64_t offset = 0, end = 0;
  /// Shared by all entries of the wheel and all threads.
  std::shared_ptr<InflateBudget> budget;
};

/// Whether the file begins with a zip signature.
bool looksLikeWheel(core::ReadableFile &file);

/// Returns the files of a wheel in directory order, without folders. Supports zip64. \p path is
/// used in messages. Errors:
/// - BrokenBinary: not a zip file; tables out of bounds, overlapping or contradictory; a name that
///   is duplicate, absolute or leads out of the wheel; more than one disk.
/// - LimitReached: more than 2^18 entries, or more than 64 GiB unpacked.
llvm::Expected<std::vector<WheelEntry>> readWheel(core::ReadableFile &wheel, llvm::StringRef path);

/// An entry as a file.
class MemberFile : public core::ReadableFile {
public:
  /// Reads what was not read yet, and checks size and CRC of the whole. Error: as for reads.
  virtual llvm::Error verify() = 0;
  /// Offsets of `libcudart_static_` if the whole file was inflated; std::nullopt if unknown.
  virtual std::optional<llvm::ArrayRef<uint64_t>> staticCudart() const { return std::nullopt; }
  /// Number of bytes that were inflated more than once, because a reader went back to them.
  virtual uint64_t madeAgain() const { return 0; }
};

/// Opens one entry as a file. A stored entry is read from the wheel. A deflated entry is inflated
/// only as far as it is read, and once: the parts to which readers of ELF files return are kept, at
/// most 48 MiB. The rest is inflated again from restart points, which take at most 6 MiB whatever
/// the size; how much is inflated again is limited too. Reading an entry from begin to end, in any
/// pieces, checks its size and CRC; `verify` does so whatever was read. Not thread-safe. \p wheel
/// must outlive the file.
///
/// The work is bounded whatever sizes are stated; a read that reaches a bound fails. A member is
/// inflated to 16 MiB or 64 times its compressed bytes read so far. All members of a wheel together
/// are inflated to 64 times its size, at least 4 GiB and at most 16 GiB, where opening a member
/// again counts anew. Of 90 wheels of CUDA libraries and frameworks, none holds more than 7 times
/// its size, none of their libraries exceeds a ratio of 10 beyond 4 MiB, and the largest wheel has
/// 3.2 GB. Errors:
/// - BrokenBinary: a local header that contradicts the entry, a stated size that no deflate stream
///   of this length reaches (1032 to 1), an encrypted entry, another method. A damaged stream makes
///   the read fail that meets the damage.
/// - LimitReached: more than 16 GiB unpacked; reading backwards repeatedly, so that more than four
///   times the size and 64 MiB are inflated again.
llvm::Expected<std::unique_ptr<MemberFile>> openEntry(core::ReadableFile &wheel,
                                                      const WheelEntry &entry);

/// The compressed bytes of an entry. Errors: as for openEntry, except those of the stream.
llvm::Expected<std::unique_ptr<core::ReadableFile>> openCompressed(core::ReadableFile &wheel,
                                                                   const WheelEntry &entry);

} // namespace cudacc::binary
