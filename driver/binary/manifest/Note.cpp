// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/manifest/Note.h"
#include "driver/core/Diagnostic.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

namespace cudacc::binary {

using namespace llvm::support::endian;

static constexpr llvm::StringLiteral OwnerText("cuda-target");
/// Includes the terminating NUL (EN-2).
static constexpr llvm::StringRef Owner(OwnerText.data(), 12);
static constexpr size_t SummarySize = 32, MaxDescriptor = 64 << 10;
static constexpr uint32_t TypeMask = 0xFFFFFF00;

static void append32(std::string &out, uint32_t value) {
  char bytes[4];
  write32le(bytes, value);
  out.append(bytes, 4);
}

std::string encodeRecord(uint32_t type, llvm::StringRef descriptor) {
  size_t size = std::max<size_t>(llvm::alignTo(descriptor.size(), 8), 8);
  std::string out;
  out.reserve(NoteHeaderSize + size);
  append32(out, Owner.size());
  append32(out, size);
  append32(out, type);
  out += Owner;
  out += descriptor;
  out.resize(NoteHeaderSize + size);
  return out;
}

std::string encodeJsonRecord(uint32_t type, llvm::StringRef json, uint32_t capacity) {
  std::string descriptor = json.str();
  descriptor.resize(std::max<size_t>(json.size() + 1, capacity));
  return encodeRecord(type, descriptor);
}

uint32_t jsonCrc(llvm::StringRef json) { return llvm::crc32(llvm::arrayRefFromStringRef(json)); }

std::string encodeSummary(const core::SummaryRecord &record) {
  std::string out(SummarySize, '\0');
  write16le(&out[0], record.schema);
  write16le(&out[2], record.flags);
  const versions::CudaVersion versions[] = {record.toolkit, record.target, record.floor, record.ptx,
                                            record.ltoir};
  char *place = &out[4];
  for (const versions::CudaVersion &version : versions) {
    write16le(place, version.major);
    write16le(place + 2, version.minor);
    place += 4;
  }
  write32le(&out[24], record.linkCrc);
  write32le(&out[28], jsonCrc(llvm::StringRef(out).take_front(28)));
  return out;
}

std::optional<core::SummaryRecord> decodeSummary(llvm::StringRef descriptor) {
  if (descriptor.size() < SummarySize)
    return std::nullopt;
  const char *bytes = descriptor.data();
  core::SummaryRecord record;
  record.schema = read16le(bytes);
  record.flags = read16le(bytes + 2);
  versions::CudaVersion *versions[] = {&record.toolkit, &record.target, &record.floor, &record.ptx,
                                       &record.ltoir};
  const char *place = bytes + 4;
  for (versions::CudaVersion *version : versions) {
    *version = {read16le(place), read16le(place + 2)};
    place += 4;
  }
  record.linkCrc = read32le(bytes + 24);
  record.crcValid = read32le(bytes + 28) == jsonCrc(descriptor.take_front(28));
  return record;
}

llvm::Expected<std::string> placeholder(const core::LinkRecord &record,
                                        const core::SummaryRecord &summary, uint32_t capacity) {
  if (capacity % 8 || !capacity || capacity > MaxCapacity)
    return core::makeError(
        core::Code::BadValue,
        fmt::format("the manifest's capacity is {}, not a multiple of 8 up to {}", capacity,
                    MaxCapacity));
  auto json = fitJson(record, capacity);
  if (!json)
    return json.takeError();
  core::SummaryRecord unsealed = summary;
  unsealed.flags = 0;
  unsealed.linkCrc = 0;
  return encodeJsonRecord(LinkNote, *json, capacity) +
         encodeRecord(SummaryNote, encodeSummary(unsealed));
}

std::vector<FoundRecord> findRecords(llvm::StringRef bytes, size_t most) {
  std::vector<FoundRecord> result;
  size_t from = 0;
  while (result.size() < most) {
    size_t owner = bytes.find(Owner, from);
    if (owner == llvm::StringRef::npos)
      break;
    from = owner + 1;
    if (owner < 12)
      continue;
    const char *header = bytes.data() + owner - 12;
    uint64_t begin = owner + Owner.size();
    uint32_t size = read32le(header + 4), type = read32le(header + 8);
    if (read32le(header) != Owner.size() || (type & TypeMask) != (ObjectNote & TypeMask) ||
        size > MaxDescriptor || size > bytes.size() - begin)
      continue;
    result.push_back({type, begin, bytes.substr(begin, size)});
    from = begin + size;
  }
  return result;
}

std::optional<llvm::StringRef> jsonText(llvm::StringRef descriptor, std::string &problem) {
  size_t end = descriptor.find('\0');
  if (end == llvm::StringRef::npos) {
    problem = "the text does not end";
    return std::nullopt;
  }
  if (descriptor.find_first_not_of('\0', end) != llvm::StringRef::npos) {
    problem = "bytes behind the end of the text";
    return std::nullopt;
  }
  return descriptor.take_front(end);
}

} // namespace cudacc::binary
