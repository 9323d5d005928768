// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/archive/Wheel.h"
#include "driver/binary/archive/Deflated.h"
#include "driver/binary/archive/WheelRecords.h"
#include "driver/binary/elf/Bytes.h"
#include "driver/core/Diagnostic.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <limits>

namespace cudacc::binary {

static constexpr uint64_t MaxWheelEntries = 1 << 18, MaxUnpacked = uint64_t(64) << 30;

namespace {
class DirectoryReader {
public:
  DirectoryReader(core::ReadableFile &wheel, llvm::StringRef path)
      : bytes(wheel, path, 0, wheel.size()), budget(std::make_shared<InflateBudget>(wheel.size())) {
  }

  llvm::Error run();
  std::vector<WheelEntry> entries;

private:
  Bytes bytes;
  uint64_t count = 0, begin = 0, size = 0;
  /// Begin and end offsets of every entry's data, folders included.
  std::vector<std::pair<uint64_t, uint64_t>> parts;
  llvm::StringSet<> names;
  uint64_t unpacked = 0;
  std::shared_ptr<InflateBudget> budget;

  /// Offset of the end-of-directory record.
  llvm::Expected<uint64_t> findEnd();
  llvm::Error readEnd();
  bool hasEnd64(uint64_t end);
  llvm::Error readEnd64(uint64_t end);
  llvm::Expected<uint64_t> entry(uint64_t at);
  llvm::Error add(const DirectoryRecord &record, llvm::StringRef raw, WheelEntry entry,
                  uint64_t at);
  llvm::Error extra(llvm::StringRef fields, const DirectoryRecord &record, WheelEntry &entry,
                    uint64_t at);
  llvm::Error place();
};
} // namespace

/// The record ends the file, except for a comment whose length it states. As a comment can imitate
/// a record, the match nearest to the end must fit exactly.
llvm::Expected<uint64_t> DirectoryReader::findEnd() {
  static constexpr char what[] = "the end of the zip directory";
  if (bytes.size() < sizeof(EndRecord))
    return bytes.broken("it is not a zip file", 0);
  uint64_t length = std::min<uint64_t>(bytes.size(), sizeof(EndRecord) + 0xffff);
  uint64_t base = bytes.size() - length;
  auto tail = bytes.bytes(base, length, what);
  if (!tail)
    return tail.takeError();
  llvm::StringRef text(*tail);
  for (size_t at = length - sizeof(EndRecord) + 1; at--;) {
    if (!text.substr(at).starts_with("PK\x05\x06"))
      continue;
    EndRecord record;
    std::memcpy(&record, text.data() + at, sizeof(record));
    if (at + sizeof(record) + record.commentSize != length)
      return bytes.broken("the end of the zip directory is ambiguous", base + at);
    return base + at;
  }
  return bytes.broken("it is not a zip file, or its end is missing", 0);
}

/// Installers find the record right in front of its locator, wherever that says it is, so both have
/// to be one place.
llvm::Error DirectoryReader::readEnd64(uint64_t end) {
  static constexpr char what[] = "the zip64 end of the directory";
  uint64_t place = end - sizeof(Locator64);
  auto locator = bytes.get<Locator64>(place, what);
  if (!locator)
    return locator.takeError();
  auto record = bytes.get<EndRecord64>(locator->offset, what);
  if (!record)
    return record.takeError();
  if (locator->disk || locator->disks > 1 || locator->offset + sizeof(EndRecord64) != place ||
      record->signature != EndRecord64::Signature || record->disk || record->directoryDisk ||
      record->diskEntries != record->entries)
    return bytes.broken("the zip64 end of the directory is damaged", locator->offset);
  count = record->entries;
  begin = record->directoryOffset;
  size = record->directorySize;
  if (!bytes.holds(begin, size) || begin + size != locator->offset)
    return bytes.broken("the zip directory does not lie where the file's end says", begin);
  return llvm::Error::success();
}

/// Whether a zip64 end lies in front of the other one. Installers obey it then, whatever that says.
bool DirectoryReader::hasEnd64(uint64_t end) {
  if (end < sizeof(Locator64))
    return false;
  auto locator = llvm::expectedToOptional(
      bytes.get<Locator64>(end - sizeof(Locator64), "the end of the zip directory"));
  return locator && locator->signature == Locator64::Signature;
}

/// Installers take the bytes in front of the end for the directory, wherever it says that is, so
/// both have to be one place.
llvm::Error DirectoryReader::readEnd() {
  auto end = findEnd();
  if (!end)
    return end.takeError();
  auto record = bytes.get<EndRecord>(*end, "the end of the zip directory");
  if (!record)
    return record.takeError();
  bool has64 = hasEnd64(*end);
  auto isStated = [&](auto value, uint64_t actual) {
    return value == actual || (has64 && value == std::numeric_limits<decltype(value)>::max());
  };
  if (!has64 && (record->entries == UINT16_MAX || record->directorySize == UINT32_MAX ||
                 record->directoryOffset == UINT32_MAX))
    return bytes.broken("the zip64 end of the directory is missing", *end);
  if (!has64 && (record->disk || record->directoryDisk || record->diskEntries != record->entries))
    return bytes.broken("a zip file of several disks", *end);
  count = record->entries;
  begin = record->directoryOffset;
  size = record->directorySize;
  if (has64)
    if (llvm::Error error = readEnd64(*end))
      return error;
  if (!isStated(record->entries, count) || !isStated(record->directorySize, size) ||
      !isStated(record->directoryOffset, begin) || (!has64 && begin + size != *end))
    return bytes.broken("the zip directory does not lie where the file's end says", begin);
  return llvm::Error::success();
}

/// The zip64 field has, in this order, the values that do not fit into the record.
llvm::Error DirectoryReader::extra(llvm::StringRef fields, const DirectoryRecord &record,
                                   WheelEntry &entry, uint64_t at) {
  llvm::StringRef field = extraField(fields, 1);
  entry.size = record.size;
  entry.compressedSize = record.compressedSize;
  entry.offset = record.offset;
  for (uint64_t *value : {&entry.size, &entry.compressedSize, &entry.offset}) {
    if (*value != UINT32_MAX)
      continue;
    if (field.size() < 8)
      return bytes.broken("an entry of the zip directory lacks its zip64 sizes", at);
    std::memcpy(value, field.data(), 8);
    field = field.drop_front(8);
  }
  return llvm::Error::success();
}

llvm::Error DirectoryReader::add(const DirectoryRecord &record, llvm::StringRef raw,
                                 WheelEntry entry, uint64_t at) {
  uint64_t least = sizeof(LocalRecord) + record.nameSize;
  if (entry.offset > begin || entry.compressedSize > begin ||
      least + entry.compressedSize > begin - entry.offset)
    return bytes.broken("an entry reaches into the zip directory", at);
  parts.emplace_back(entry.offset, entry.offset + least + entry.compressedSize);
  auto name = entryName(raw);
  if (!name)
    return core::makeError(core::Code::BrokenBinary,
                           fmt::format("{}: an entry's name leaves the wheel", bytes.fileName()),
                           {{"entry", raw.str()}});
  unpacked += std::min(entry.size, MaxUnpacked);
  if (unpacked > MaxUnpacked)
    return bytes.limit("more than 64 GiB when unpacked");
  if (raw.ends_with("/"))
    return llvm::Error::success();
  if (!names.insert(*name).second)
    return core::makeError(core::Code::BrokenBinary,
                           fmt::format("{}: two entries have one name", bytes.fileName()),
                           {{"entry", *name}});
  entry.name = std::move(*name);
  entry.crc = record.crc;
  entry.budget = budget;
  entry.method = record.method;
  entry.encrypted = record.flags & EncryptedFlag;
  entry.attributes = record.externalAttributes;
  entry.stamp = uint32_t(record.date) << 16 | record.time;
  entries.push_back(std::move(entry));
  return llvm::Error::success();
}

llvm::Expected<uint64_t> DirectoryReader::entry(uint64_t at) {
  static constexpr char what[] = "the zip directory";
  auto record = bytes.get<DirectoryRecord>(at, what);
  if (!record)
    return record.takeError();
  uint64_t length = uint64_t(record->nameSize) + record->extraSize + record->commentSize;
  if (record->signature != DirectoryRecord::Signature || record->disk ||
      at + sizeof(DirectoryRecord) + length > begin + size)
    return bytes.broken("an entry of the zip directory is damaged", at);
  auto text = bytes.bytes(at + sizeof(DirectoryRecord),
                          uint64_t(record->nameSize) + record->extraSize, what);
  if (!text)
    return text.takeError();
  llvm::StringRef name = llvm::StringRef(*text).take_front(record->nameSize);
  WheelEntry entry;
  llvm::StringRef fields = llvm::StringRef(*text).drop_front(record->nameSize);
  if (auto error = extra(fields, *record, entry, at))
    return error;
  // Some installers take the name behind version and CRC of this field (APPNOTE.TXT, 4.6.9).
  if (llvm::StringRef field = extraField(fields, 0x7075); !field.empty() && field.substr(5) != name)
    return bytes.broken("an entry of the zip directory has two names", at);
  if (auto error = add(*record, name, std::move(entry), at))
    return error;
  return at + sizeof(DirectoryRecord) + length;
}

/// Entries must not overlap, or a small file could unpack to any size.
llvm::Error DirectoryReader::place() {
  llvm::sort(parts);
  for (size_t i = 1; i < parts.size(); ++i)
    if (parts[i].first < parts[i - 1].second)
      return bytes.broken("two entries lie in one place", parts[i].first);
  for (WheelEntry &entry : entries) {
    auto next = llvm::upper_bound(parts, std::pair(entry.offset, UINT64_MAX));
    entry.end = next == parts.end() ? begin : next->first;
  }
  return llvm::Error::success();
}

llvm::Error DirectoryReader::run() {
  if (auto error = readEnd())
    return error;
  if (count > MaxWheelEntries)
    return bytes.limit("more than 2^18 entries");
  uint64_t at = begin;
  for (uint64_t i = 0; i != count; ++i) {
    auto next = entry(at);
    if (!next)
      return next.takeError();
    at = *next;
  }
  if (at != begin + size)
    return bytes.broken("the zip directory contains more than its entries", at);
  return place();
}

bool looksLikeWheel(core::ReadableFile &file) {
  char start[4];
  auto got = llvm::expectedToOptional(file.readAt(0, start));
  if (!got)
    return false;
  llvm::StringRef text(start, *got);
  return text == "PK\x03\x04" || text == "PK\x05\x06";
}

llvm::Expected<std::vector<WheelEntry>> readWheel(core::ReadableFile &wheel, llvm::StringRef path) {
  DirectoryReader reader(wheel, path);
  if (auto error = reader.run())
    return error;
  return std::move(reader.entries);
}

} // namespace cudacc::binary
