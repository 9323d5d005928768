// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/device/KeptParts.h"
#include "driver/binary/device/Fatbin.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

namespace cudacc::binary {

using namespace llvm::ELF;

static constexpr uint64_t MaxCells = (48 << 20) / KeptParts::CellSize;
/// Smaller files are kept whole.
static constexpr uint64_t WholeSize = 8 << 20;
/// A segment without code is kept whole up to this size. Of the first segment, which has the symbol
/// tables, this much is kept in any case.
static constexpr uint64_t MaxSegment = 24 << 20;
/// Bytes to keep around the section headers, for a string table there.
static constexpr uint64_t AroundSections = 64 << 10;
static constexpr size_t MaxProbes = 1 << 16;
/// Readers request windows that extend a little beyond the header they look for.
static constexpr uint64_t AroundHeader = 288, MaxHeader = 4096;

static constexpr llvm::StringLiteral cudart = "libcudart_static_";

void KeptParts::keep(uint64_t cell) {
  if (cells.size() == MaxCells || !cells.try_emplace(cell, cells.size()).second)
    return;
  uint64_t slot = cells.size() - 1;
  if (slot / SlabCells == slabs.size())
    slabs.emplace_back(new char[SlabCells * CellSize]);
  llvm::StringRef bytes = piece.substr(cell * CellSize - begin, CellSize);
  std::memcpy(slabs[slot / SlabCells].get() + slot % SlabCells * CellSize, bytes.data(),
              bytes.size());
}

void KeptParts::wantCells(uint64_t first, uint64_t last) {
  for (; first < last && first * CellSize < end; ++first)
    keep(first);
  if (first >= last)
    return;
  // Merges the range with adjacent ones.
  auto at = wanted.upper_bound(first);
  if (at != wanted.begin() && std::prev(at)->second >= first)
    --at;
  while (at != wanted.end() && at->first <= last) {
    first = std::min(first, at->first);
    last = std::max(last, at->second);
    at = wanted.erase(at);
  }
  wanted[first] = last;
}

void KeptParts::want(uint64_t at, uint64_t size) {
  at = std::max(at, begin);
  if (at >= fileSize || !size)
    return;
  size = std::min(size, fileSize - at);
  wantCells(at / CellSize, (at + size - 1) / CellSize + 1);
}

void KeptParts::ask(uint64_t at, Probe probe, uint64_t containerEnd) {
  if (at < begin || at >= fileSize || fileSize - at < ProbeSize || probes.size() == MaxProbes)
    return;
  probes.insert({at, {probe, containerEnd}});
  want(at, ProbeSize);
}

/// Called with the first piece; requests the tables to which the file's headers point.
void KeptParts::planElf() {
  Elf64_Ehdr header;
  if (fileSize <= WholeSize)
    return want(0, fileSize);
  want(0, piece.size());
  if (piece.size() < sizeof(header))
    return;
  std::memcpy(&header, piece.data(), sizeof(header));
  if (!header.checkMagic() || header.getFileClass() != ELFCLASS64 ||
      header.getDataEncoding() != ELFDATA2LSB)
    return;
  uint64_t sections = header.e_shoff;
  if (sections && sections < fileSize)
    want(sections - std::min(sections, AroundSections),
         uint64_t(header.e_shnum) * sizeof(Elf64_Shdr) + 2 * AroundSections);
  uint64_t table = uint64_t(header.e_phnum) * sizeof(Elf64_Phdr);
  if (header.e_phoff > piece.size() || table > piece.size() - header.e_phoff)
    return;
  for (uint64_t i = 0; i != header.e_phnum; ++i) {
    Elf64_Phdr segment;
    std::memcpy(&segment, piece.data() + header.e_phoff + i * sizeof(segment), sizeof(segment));
    if (segment.p_type == PT_DYNAMIC || segment.p_type == PT_NOTE || segment.p_type == PT_INTERP)
      want(segment.p_offset, std::min<uint64_t>(segment.p_filesz, 1 << 20));
    bool kept =
        segment.p_offset == 0 || (!(segment.p_flags & PF_X) && segment.p_filesz <= MaxSegment);
    if (segment.p_type == PT_LOAD && kept)
      want(segment.p_offset, std::min(segment.p_filesz, MaxSegment));
  }
}

void KeptParts::answer(uint64_t at, const Asked &asked) {
  char bytes[ProbeSize];
  if (!read(at, bytes))
    return;
  if (asked.probe == Probe::Container) {
    uint64_t size;
    std::memcpy(&size, bytes + 8, sizeof(size));
    want(at, AroundHeader);
    if (size > fileSize - at - ContainerHeaderSize)
      return;
    uint64_t behind = at + ContainerHeaderSize + size;
    searchFrom = std::max(searchFrom, llvm::alignDown(behind, 8));
    ask(at + ContainerHeaderSize, Probe::Entry, behind);
  } else if (asked.probe == Probe::Entry) {
    EntryHeader header;
    std::memcpy(&header, bytes, sizeof(header));
    want(at, std::max<uint64_t>(AroundHeader, std::min<uint64_t>(header.headerSize, MaxHeader)));
    uint64_t room = asked.end - at;
    if (header.headerSize < sizeof(header) || header.headerSize > room ||
        header.payloadSize > room - header.headerSize)
      return;
    uint64_t payload = at + header.headerSize, next = payload + header.payloadSize;
    if (header.kind == CubinEntry && !header.compressedSize)
      ask(payload, Probe::Cubin, next);
    if (next < asked.end)
      ask(next, Probe::Entry, asked.end);
  } else {
    Elf64_Ehdr header;
    std::memcpy(&header, bytes, sizeof(header));
    want(at, AroundHeader);
    if (header.checkMagic() && header.e_shoff < asked.end - at)
      want(at + header.e_shoff,
           std::max<uint64_t>(AroundHeader,
                              std::min<uint64_t>(header.e_shnum * sizeof(Elf64_Shdr), MaxHeader)));
  }
}

/// Examines the headers that have arrived, and those that they lead to.
void KeptParts::follow() {
  while (!probes.empty() && probes.begin()->first + ProbeSize <= end) {
    auto [at, asked] = *probes.begin();
    probes.erase(probes.begin());
    answer(at, asked);
  }
}

void KeptParts::findContainers() {
  for (;;) {
    follow();
    uint64_t at = llvm::alignTo(std::max(searchFrom, begin), 8);
    for (uint64_t word; at + sizeof(word) <= end; at += sizeof(word)) {
      std::memcpy(&word, piece.data() + (at - begin), sizeof(word));
      if (word == ContainerStart)
        break;
    }
    if (at + sizeof(uint64_t) > end) {
      searchFrom = std::max(searchFrom, llvm::alignDown(end, 8));
      return;
    }
    searchFrom = at + sizeof(uint64_t);
    ask(at, Probe::Container, 0);
  }
}

void KeptParts::findCudart() {
  auto note = [&](uint64_t at) {
    if (cudartAt.size() != MaxCudart)
      cudartAt.push_back(at);
  };
  std::string across = tail + piece.take_front(cudart.size() - 1).str();
  if (size_t at = llvm::StringRef(across).find(cudart); at != llvm::StringRef::npos)
    note(begin - tail.size() + at);
  for (const char *from = piece.begin(); from < piece.end();) {
    const void *hit = memmem(from, piece.end() - from, cudart.data(), cudart.size());
    if (!hit)
      break;
    note(begin + (static_cast<const char *>(hit) - piece.begin()));
    from = static_cast<const char *>(hit) + 1;
  }
  tail = piece.take_back(cudart.size() - 1).str();
}

void KeptParts::see(llvm::StringRef next) {
  piece = next;
  begin = end;
  end = begin + piece.size();
  if (!begin)
    planElf();
  while (!wanted.empty() && wanted.begin()->first * CellSize < end) {
    auto [first, last] = *wanted.begin();
    wanted.erase(wanted.begin());
    wantCells(first, last);
  }
  findContainers();
  findCudart();
}

bool KeptParts::read(uint64_t offset, llvm::MutableArrayRef<char> out) const {
  while (!out.empty()) {
    auto cell = cells.find(offset / CellSize);
    if (cell == cells.end())
      return false;
    uint64_t into = offset % CellSize, slot = cell->second;
    uint64_t count = std::min<uint64_t>(CellSize - into, out.size());
    std::memcpy(out.data(), slabs[slot / SlabCells].get() + slot % SlabCells * CellSize + into,
                count);
    out = out.drop_front(count);
    offset += count;
  }
  return true;
}

} // namespace cudacc::binary
