// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/archive/Deflated.h"
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

namespace {
class Part final : public MemberFile {
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
} // namespace

static llvm::Error broken(const WheelEntry &entry, const llvm::Twine &what) {
  return core::makeError(core::Code::BrokenBinary, fmt::format("{}: {}", entry.name, what));
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
      entryName(name) != entry.name || bool(record.flags & EncryptedFlag) != entry.encrypted)
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
  if (entry.method == Stored)
    return std::make_unique<Part>(wheel, *data, entry.size);
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
