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

/// A file in a wheel, from the central directory alone.
struct WheelEntry {
  /// Relative, with slashes, without `.`, `..` and empty components; each occurs once.
  std::string name;
  uint64_t size = 0, compressedSize = 0;
  uint32_t crc = 0;
  /// Compression method of the zip format: 0 stored, 8 deflated; others cannot be opened.
  uint16_t method = 0;
  bool encrypted = false;
  /// Of the local header, and where the next thing in the wheel begins.
  uint64_t offset = 0, end = 0;
  /// That of the whole wheel, for all threads.
  std::shared_ptr<InflateBudget> budget;
};

/// Whether the first bytes are those of a zip file.
bool looksLikeWheel(core::ReadableFile &file);

/// Files of a wheel in the order of its directory; folders are left out. zip64 is read.
/// - BrokenBinary: no zip file; tables that lie outside, overlap or contradict each other; a name
///   twice; a name that is absolute or leaves the wheel; more than one disk.
/// - LimitReached: more than 2^18 entries, or 64 GiB when unpacked.
/// \p path is for messages.
llvm::Expected<std::vector<WheelEntry>> readWheel(core::ReadableFile &wheel, llvm::StringRef path);

/// An entry as a file.
class MemberFile : public core::ReadableFile {
public:
  /// Where `libcudart_static_` stands in it, if the whole was inflated; nothing: look for it.
  virtual std::optional<llvm::ArrayRef<uint64_t>> staticCudart() const { return std::nullopt; }
  /// Bytes that were inflated more than once, since a reader came back to them.
  virtual uint64_t madeAgain() const { return 0; }
};

/// One entry as a file. Stored ones are a part of the wheel; deflated ones are inflated only as far
/// as is read, and once: what readers of ELF files come back to is kept, 48 MiB at most. For the
/// rest there are restart points, together at most 6 MiB whatever the size; what is made again is
/// bounded, too. Reading to the end checks size and CRC. Not for several threads at once. \p wheel
/// outlives it.
///
/// Work is bounded whatever the sizes say, an error of the read that meets the bound: a member is
/// inflated to 16 MiB, or to 64 times what of it was read; all members of a wheel, each time that
/// one is opened, to 64 times its size, at least 4 GiB and at most 16 GiB. Of 90 wheels of CUDA
/// libraries and frameworks none has more than 7 times its size inside, none of their libraries
/// beyond 4 MiB 10 times, and the largest wheel has 3.2 GB.
/// - BrokenBinary: a local header that contradicts the entry, a stated size that no deflate stream
///   of this length has (1032 to 1), an encrypted entry, another method. Damage inside the stream
///   is an error of the read that meets it.
/// - LimitReached: more than 16 GiB when unpacked; reading that goes back again and again, to more
///   than four times the size and 64 MiB.
llvm::Expected<std::unique_ptr<MemberFile>> openEntry(core::ReadableFile &wheel,
                                                      const WheelEntry &entry);

} // namespace cudacc::binary
