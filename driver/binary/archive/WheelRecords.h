// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace cudacc::binary {

// Records of PKWARE's APPNOTE.TXT 6.3.10, sections 4.3.7 to 4.3.16.
#pragma pack(push, 1)
struct LocalRecord {
  static constexpr uint32_t Signature = 0x04034b50;
  uint32_t signature;
  uint16_t version, flags, method, time, date;
  uint32_t crc, compressedSize, size;
  uint16_t nameSize, extraSize;
};
struct DirectoryRecord {
  static constexpr uint32_t Signature = 0x02014b50;
  uint32_t signature;
  uint16_t madeBy, version, flags, method, time, date;
  uint32_t crc, compressedSize, size;
  uint16_t nameSize, extraSize, commentSize, disk, attributes;
  uint32_t externalAttributes, offset;
};
struct EndRecord {
  static constexpr uint32_t Signature = 0x06054b50;
  uint32_t signature;
  uint16_t disk, directoryDisk, diskEntries, entries;
  uint32_t directorySize, directoryOffset;
  uint16_t commentSize;
};
struct Locator64 {
  static constexpr uint32_t Signature = 0x07064b50;
  uint32_t signature, disk;
  uint64_t offset;
  uint32_t disks;
};
struct EndRecord64 {
  static constexpr uint32_t Signature = 0x06064b50;
  uint32_t signature;
  uint64_t recordSize;
  uint16_t madeBy, version;
  uint32_t disk, directoryDisk;
  uint64_t diskEntries, entries, directorySize, directoryOffset;
};
#pragma pack(pop)
static_assert(sizeof(LocalRecord) == 30 && sizeof(DirectoryRecord) == 46 &&
              sizeof(EndRecord) == 22 && sizeof(Locator64) == 20 && sizeof(EndRecord64) == 56);

/// With DescriptorFlag, CRC and sizes follow the data; those in the local header are undefined.
constexpr uint16_t EncryptedFlag = 1, DescriptorFlag = 8, Utf8Flag = 0x800;
constexpr uint16_t Stored = 0, Deflated = 8;

/// Contents of the extra field \p id; empty if there is none.
llvm::StringRef extraField(llvm::StringRef fields, uint16_t id);

/// The name without `.`, empty components and a folder's trailing slash; std::nullopt if it is
/// absolute, leads out of the wheel, is empty or contains a NUL.
std::optional<std::string> entryName(llvm::StringRef raw);

} // namespace cudacc::binary
