// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/elf/SymbolCount.h"

namespace cudacc::binary {

using namespace llvm::ELF;

/// The number of symbols that the GNU hash table covers; 0 if it is empty: then the number of
/// symbols that are not hashed is unknown (bfd 2.40 writes 1 as the first hashed symbol, whatever
/// precedes it).
static llvm::Expected<uint64_t> gnuHashCount(const Image &image, uint64_t address) {
  static constexpr char what[] = "the GNU hash table";
  Bytes &bytes = image.bytes;
  auto offset = image.offsetOf(address, sizeof(GnuHashHeader), what);
  if (!offset)
    return offset.takeError();
  auto header = bytes.get<GnuHashHeader>(*offset, what);
  if (!header)
    return header.takeError();
  uint64_t buckets = *offset + sizeof(GnuHashHeader) + uint64_t(header->filterWords) * 8;
  uint32_t last = 0;
  if (auto error = bytes.each<uint32_t>(buckets, header->buckets, what,
                                        [&](uint64_t, const uint32_t &first) {
                                          last = std::max(last, first);
                                          return llvm::Error::success();
                                        }))
    return error;
  if (!last)
    return 0;
  if (last < header->firstSymbol)
    return bytes.broken("the GNU hash table contradicts itself", *offset);
  uint64_t chains = buckets + uint64_t(header->buckets) * 4;
  for (uint64_t symbol = last; symbol < MaxSymbols; ++symbol) {
    auto chain = bytes.get<uint32_t>(chains + (symbol - header->firstSymbol) * 4, what);
    if (!chain)
      return chain.takeError();
    if (*chain & 1)
      return symbol + 1;
  }
  return bytes.limit("more than 2^24 symbols");
}

/// The count from the section headers; 0 if they were stripped.
static llvm::Expected<uint64_t> sectionCount(const Image &image, uint64_t address) {
  uint64_t count = 0;
  if (auto error = image.eachSection([&](uint64_t, const Elf64_Shdr &section) {
        if (section.sh_type == SHT_DYNSYM && section.sh_addr == address)
          count = section.sh_size / sizeof(Elf64_Sym);
        return llvm::Error::success();
      }))
    return error;
  return count;
}

/// One more than the highest symbol index in a relocation; other symbols cannot make loading fail.
static llvm::Expected<uint64_t> relocatedCount(const Image &image, const Dynamic &dynamic) {
  static constexpr char what[] = "a relocation table";
  uint64_t count = 0;
  const std::pair<uint64_t, uint64_t> tables[] = {
      {dynamic.relocations, dynamic.relocationsSize},
      {dynamic.pltRelocations, dynamic.pltRelocationsSize}};
  for (auto [address, size] : tables) {
    if (!address || !size)
      continue;
    auto offset = image.offsetOf(address, size, what);
    if (!offset)
      return offset.takeError();
    if (auto error = image.bytes.each<Elf64_Rela>(
            *offset, size / sizeof(Elf64_Rela), what, [&](uint64_t, const Elf64_Rela &entry) {
              count = std::max<uint64_t>(count, uint64_t(entry.getSymbol()) + 1);
              return llvm::Error::success();
            }))
      return error;
  }
  return count;
}

llvm::Expected<uint64_t> symbolCount(const Image &image, const Dynamic &dynamic) {
  uint64_t count = 0;
  if (dynamic.hash) {
    auto offset = image.offsetOf(dynamic.hash, 8, "the hash table");
    if (!offset)
      return offset.takeError();
    auto chains = image.bytes.get<uint32_t>(*offset + 4, "the hash table");
    if (!chains)
      return chains.takeError();
    count = *chains;
  }
  if (dynamic.gnuHash) {
    auto hashed = gnuHashCount(image, dynamic.gnuHash);
    if (!hashed)
      return hashed.takeError();
    count = std::max(count, *hashed);
  }
  if (count)
    return count;
  auto bySections = sectionCount(image, dynamic.symbols);
  if (!bySections || *bySections)
    return bySections;
  return relocatedCount(image, dynamic);
}

} // namespace cudacc::binary
