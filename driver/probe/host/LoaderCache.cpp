// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/host/LoaderCache.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

namespace cudacc::probe {

using llvm::support::endian::read32le;
using llvm::support::endian::read64le;

// Sizes and offsets from glibc's sysdeps/generic/dl-cache.h.
static constexpr llvm::StringLiteral OldMagic = "ld.so-1.7.0";
static constexpr size_t OldHeader = 16, OldEntry = 12;
static constexpr llvm::StringLiteral Magic = "glibc-ld.so.cache1.1";
static constexpr size_t Header = 48, EntrySize = 24;
static constexpr size_t CountAt = 20, ByteOrderAt = 28, ExtensionAt = 32;
static constexpr uint32_t ExtensionMagic = 0xeaa42174;
static constexpr uint32_t HwcapsTag = 1;
static constexpr uint64_t HwcapExtension = 1ULL << 62;

/// Real caches have some hundred KiB.
static constexpr size_t MaxSize = 1 << 28;
/// PATH_MAX.
static constexpr size_t MaxString = 4096;

/// ldconfig's flags of a 64-bit library for the machine; 0 if the machine is not supported.
static uint32_t flagsOf(uint16_t machine) {
  switch (machine) {
  case llvm::ELF::EM_X86_64:
    return 0x0303;
  case llvm::ELF::EM_AARCH64:
    return 0x0a03;
  default:
    return 0;
  }
}

std::optional<llvm::StringRef> LoaderCache::string(uint64_t offset) const {
  if (offset >= bytes.size())
    return std::nullopt;
  llvm::StringRef text = llvm::StringRef(bytes).substr(offset, MaxString + 1);
  size_t end = text.find('\0');
  if (end == llvm::StringRef::npos)
    return std::nullopt;
  return text.take_front(end);
}

/// \p offset must have been checked by `read`.
llvm::StringRef LoaderCache::text(uint32_t offset) const { return bytes.data() + offset; }

bool LoaderCache::readRows(size_t begin, uint32_t count) {
  rows.reserve(count);
  for (uint32_t i = 0; i < count; ++i) {
    const char *at = bytes.data() + begin + Header + i * EntrySize;
    uint64_t name = begin + read32le(at + 4), path = begin + read32le(at + 8);
    if (!string(name) || !string(path))
      return false;
    rows.push_back({uint32_t(name), uint32_t(path), read32le(at), read64le(at + 16)});
  }
  return true;
}

/// Offsets count from the beginning of the file, also for the names of subdirectories. ldconfig of
/// glibc 2.36 counts the latter from the header of format 1.1, so in a file that starts with the
/// older format the loader finds none of those subdirectories, and neither does this reader.
bool LoaderCache::readExtension(uint32_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < 8 ||
      read32le(bytes.data() + offset) != ExtensionMagic)
    return false;
  uint32_t count = read32le(bytes.data() + offset + 4);
  if (count > (bytes.size() - offset - 8) / 16)
    return false;
  for (uint32_t i = 0; i < count; ++i) {
    const char *section = bytes.data() + offset + 8 + i * 16;
    uint32_t start = read32le(section + 8), size = read32le(section + 12);
    bool hwcaps = read32le(section) == HwcapsTag;
    if (start > bytes.size() || bytes.size() - start < size || (hwcaps && size % 4))
      return false;
    if (!hwcaps)
      continue;
    for (uint32_t at = 0; at < size; at += 4) {
      uint32_t name = read32le(bytes.data() + start + at);
      if (!string(name))
        return false;
      subdirectories.push_back(name);
    }
  }
  return true;
}

/// Offset of the header of format 1.1.
static uint64_t headerOf(llvm::StringRef bytes) {
  if (!bytes.starts_with(OldMagic) || bytes.size() < OldHeader)
    return 0;
  return llvm::alignTo(OldHeader + uint64_t(read32le(bytes.data() + 12)) * OldEntry, 8);
}

std::optional<LoaderCache> LoaderCache::read(std::string bytes) {
  LoaderCache cache;
  cache.bytes = std::move(bytes);
  uint64_t begin = headerOf(cache.bytes);
  if (cache.bytes.size() > MaxSize || begin > cache.bytes.size())
    return std::nullopt;
  llvm::StringRef all = llvm::StringRef(cache.bytes).drop_front(begin);
  if (all.size() < Header || !all.starts_with(Magic))
    return std::nullopt;
  // 0: written by glibc before 2.33, which does not record the byte order; 2: little-endian.
  unsigned char order = static_cast<unsigned char>(all[ByteOrderAt]) & 3;
  if (order != 0 && order != 2)
    return std::nullopt;
  uint32_t count = read32le(all.data() + CountAt);
  if (count > (all.size() - Header) / EntrySize)
    return std::nullopt;
  if (!cache.readRows(begin, count))
    return std::nullopt;
  uint32_t extension = read32le(all.data() + ExtensionAt);
  if (extension && !cache.readExtension(extension))
    return std::nullopt;
  cache.byName.resize(count);
  std::iota(cache.byName.begin(), cache.byName.end(), 0);
  llvm::stable_sort(cache.byName, [&](uint32_t a, uint32_t b) {
    return cache.text(cache.rows[a].name) < cache.text(cache.rows[b].name);
  });
  return cache;
}

LoaderCache::Entry LoaderCache::entry(const Row &row) const {
  Entry result{text(row.name), text(row.path), row.flags, {}};
  uint32_t index = uint32_t(row.hwcap);
  if (row.hwcap & HwcapExtension && index < subdirectories.size())
    result.subdirectory = text(subdirectories[index]);
  else if (row.hwcap)
    result.subdirectory = "legacy";
  return result;
}

std::vector<LoaderCache::Entry> LoaderCache::entries() const {
  std::vector<Entry> result;
  for (const Row &row : rows)
    result.push_back(entry(row));
  return result;
}

std::optional<std::string> LoaderCache::find(llvm::StringRef name, uint16_t machine,
                                             llvm::ArrayRef<std::string> hwcaps) const {
  uint32_t flags = flagsOf(machine);
  auto first =
      llvm::partition_point(byName, [&](uint32_t index) { return text(rows[index].name) < name; });
  llvm::StringRef best;
  size_t bestRank = hwcaps.size() + 1;
  for (; first != byName.end() && text(rows[*first].name) == name; ++first) {
    Entry candidate = entry(rows[*first]);
    if (candidate.flags != flags)
      continue;
    size_t rank = hwcaps.size();
    if (!candidate.subdirectory.empty())
      rank = llvm::find(hwcaps, fmt::format("glibc-hwcaps/{}", candidate.subdirectory)) -
             hwcaps.begin();
    bool usable = candidate.subdirectory.empty() || rank < hwcaps.size();
    if (usable && rank < bestRank) {
      best = candidate.path;
      bestRank = rank;
    }
  }
  return best.empty() ? std::nullopt : std::optional(best.str());
}

} // namespace cudacc::probe
