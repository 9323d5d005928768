// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/archive/Deflated.h"
#include "driver/binary/archive/InflateStream.h"
#include "driver/binary/archive/Wheel.h"
#include "driver/binary/archive/WheelRecords.h"
#include "driver/binary/elf/Bytes.h"
#include "driver/core/Diagnostic.h"
#include "driver/versions/Format.h"

namespace cudacc::binary {

/// No library comes near this size. With the restart points, it bounds the time of a read.
static constexpr uint64_t MaxSize = uint64_t(16) << 30;
/// Deflate's maximum is 258 bytes from two bits (RFC 1951).
static constexpr uint64_t MaxRatio = 1032;

static llvm::Error broken(const WheelEntry &entry, const llvm::Twine &what) {
  return core::makeError(core::Code::BrokenBinary, fmt::format("{}: {}", entry.name, what));
}

namespace {
/// Bytes of the wheel.
class Part final : public core::ReadableFile {
public:
  Part(core::ReadableFile &file, uint64_t base, uint64_t length)
      : file(file), base(base), length(length) {}
  uint64_t size() const override { return length; }
  llvm::Expected<size_t> readAt(uint64_t offset, llvm::MutableArrayRef<char> out) override {
    if (offset >= length)
      return 0;
    return file.readAt(base + offset, out.take_front(length - offset));
  }

private:
  core::ReadableFile &file;
  uint64_t base, length;
};

class StoredMember final : public MemberFile {
public:
  StoredMember(core::ReadableFile &wheel, uint64_t data, const WheelEntry &entry)
      : part(wheel, data, entry.size), entry(entry) {}
  uint64_t size() const override { return part.size(); }
  llvm::Expected<size_t> readAt(uint64_t offset, llvm::MutableArrayRef<char> out) override;
  llvm::Error verify() override;

private:
  Part part;
  WheelEntry entry;
  /// The bytes up to here were read; `crc` is their CRC.
  uint64_t frontier = 0;
  uint32_t crc = 0;
};
} // namespace

llvm::Expected<size_t> StoredMember::readAt(uint64_t offset, llvm::MutableArrayRef<char> out) {
  if (offset >= entry.size)
    return 0;
  out = out.take_front(entry.size - offset);
  auto got = part.readAt(offset, out);
  if (!got)
    return got;
  if (*got != out.size())
    return broken(entry, "the wheel became shorter");
  if (offset <= frontier && frontier < offset + out.size()) {
    crc = crcOf(crc, out.drop_front(frontier - offset));
    frontier = offset + out.size();
  }
  if (frontier == entry.size && crc != entry.crc)
    return broken(entry, "its checksum is wrong");
  return out.size();
}

llvm::Error StoredMember::verify() {
  static constexpr uint64_t pieceSize = 256 << 10;
  auto piece = std::make_unique<char[]>(std::min(pieceSize, entry.size));
  while (frontier != entry.size) {
    size_t count = std::min(pieceSize, entry.size - frontier);
    if (auto got = readAt(frontier, {piece.get(), count}); !got)
      return got.takeError();
  }
  return crc == entry.crc ? llvm::Error::success() : broken(entry, "its checksum is wrong");
}

static llvm::Error judge(const WheelEntry &entry) {
  if (entry.encrypted)
    return broken(entry, "it is encrypted");
  if (entry.method != Stored && entry.method != Deflated)
    return broken(entry, fmt::format("it is compressed by the unknown method {}", entry.method));
  if (entry.method == Stored && entry.size != entry.compressedSize)
    return broken(entry, "it is stored, in another size than its own");
  if (entry.method == Deflated && entry.size / MaxRatio > entry.compressedSize)
    return broken(entry, "its stated size is more than its data can hold");
  if (entry.size > MaxSize)
    return core::makeError(core::Code::LimitReached,
                           entry.name + ": more than 16 GiB when unpacked");
  return llvm::Error::success();
}

/// Whether the header states the entry's CRC and sizes, unless a field elsewhere does.
static bool agrees(const LocalRecord &record, const WheelEntry &entry) {
  auto isSize = [](uint32_t stated, uint64_t size) {
    return stated == UINT32_MAX || stated == size;
  };
  return record.flags & DescriptorFlag ||
         (record.crc == entry.crc && isSize(record.size, entry.size) &&
          isSize(record.compressedSize, entry.compressedSize));
}

/// Offset of the entry's data.
static llvm::Expected<uint64_t> dataOf(core::ReadableFile &wheel, const WheelEntry &entry) {
  static constexpr char what[] = "its header";
  Bytes bytes(wheel, entry.name, 0, wheel.size());
  // Reads exactly the bytes needed: a wheel has thousands of members.
  LocalRecord record;
  if (auto error =
          bytes.readApart(entry.offset, {reinterpret_cast<char *>(&record), sizeof(record)}, what))
    return error;
  std::string name(record.nameSize, '\0');
  if (auto error = bytes.readApart(entry.offset + sizeof(record), {name.data(), name.size()}, what))
    return error;
  uint64_t data = entry.offset + sizeof(record) + record.nameSize + uint64_t(record.extraSize);
  if (record.signature != LocalRecord::Signature || record.method != entry.method ||
      entryName(name) != entry.name || bool(record.flags & EncryptedFlag) != entry.encrypted ||
      !agrees(record, entry))
    return broken(entry, "its header contradicts the directory");
  if (data > entry.end || entry.compressedSize > entry.end - data)
    return broken(entry, "its data reach into the next entry");
  return data;
}

llvm::Expected<std::unique_ptr<MemberFile>> openEntry(core::ReadableFile &wheel,
                                                      const WheelEntry &entry) {
  if (auto error = judge(entry))
    return error;
  auto data = dataOf(wheel, entry);
  if (!data)
    return data.takeError();
  // Some writers state a method, and write nothing.
  bool isEmpty = !entry.size && !entry.compressedSize;
  if (entry.method == Stored || isEmpty)
    return std::make_unique<StoredMember>(wheel, *data, entry);
  return inflated(wheel, *data, entry);
}

llvm::Expected<std::unique_ptr<core::ReadableFile>> openCompressed(core::ReadableFile &wheel,
                                                                   const WheelEntry &entry) {
  if (auto error = judge(entry))
    return error;
  auto data = dataOf(wheel, entry);
  if (!data)
    return data.takeError();
  return std::make_unique<Part>(wheel, *data, entry.compressedSize);
}

} // namespace cudacc::binary
