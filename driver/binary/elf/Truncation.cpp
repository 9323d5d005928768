// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/elf/Damage.h"
#include "driver/binary/elf/Header.h"
#include "llvm/Support/MathExtras.h"

namespace cudacc::binary {

using namespace llvm::ELF;

namespace {
/// The pages of a file that exist.
struct Pages {
  uint64_t size, pageSize;

  /// Whether a byte of the range is in a page that does not exist at all.
  bool lacks(uint64_t offset, uint64_t count) const {
    return count && offset + count > llvm::alignTo(size, pageSize);
  }
};
} // namespace

static uint64_t endOf(const Elf64_Phdr &segment) {
  uint64_t end = segment.p_offset + segment.p_filesz;
  return end < segment.p_offset ? UINT64_MAX - (1 << 20) : end;
}

/// Whether ld.so clears the rest of a missing page after the segment's file part.
static bool clears(const Elf64_Phdr &segment, const Pages &pages) {
  uint64_t end = endOf(segment);
  return segment.p_memsz > segment.p_filesz && end % pages.pageSize && pages.lacks(end - 1, 1);
}

/// Whether a table that ld.so reads, or a relocation target, is in a missing page.
static bool lacksTables(const Image &image, const Pages &pages) {
  core::BinaryFacts facts;
  auto dynamic = readDynamic(image, facts);
  // What is cut off within an existing page reads as zeros; the consequences of that are unknown.
  if (!dynamic) {
    llvm::consumeError(dynamic.takeError());
    return false;
  }
  auto lacks = [&](uint64_t address, uint64_t size) {
    for (const Elf64_Phdr &segment : image.segments)
      if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
          address - segment.p_vaddr < segment.p_filesz)
        return pages.lacks(segment.p_offset + (address - segment.p_vaddr), size);
    return false;
  };
  for (auto [address, size] : {std::pair(dynamic->symbols, uint64_t(1)),
                               {dynamic->strings, 1},
                               {dynamic->gnuHash, 1},
                               {dynamic->versions, 1},
                               {dynamic->needs, 1},
                               {dynamic->definitions, 1},
                               {dynamic->relocations, dynamic->relocationsSize},
                               {dynamic->pltRelocations, dynamic->pltRelocationsSize}})
    if (address && lacks(address, size))
      return true;
  // ld.so writes to relocation targets.
  bool isRelocated = false;
  for (auto [address, size] : {std::pair(dynamic->relocations, dynamic->relocationsSize),
                               {dynamic->pltRelocations, dynamic->pltRelocationsSize}}) {
    auto offset = llvm::expectedToOptional(image.offsetOf(address, size, "the relocations"));
    if (!offset)
      continue;
    llvm::consumeError(
        image.bytes.each<Elf64_Rela>(*offset, size / sizeof(Elf64_Rela), "the relocations",
                                     [&](uint64_t, const Elf64_Rela &relocation) {
                                       isRelocated = isRelocated || lacks(relocation.r_offset, 1);
                                       return llvm::Error::success();
                                     }));
  }
  return isRelocated;
}

static Damage::Ends endsOf(const Image &image, const Pages &pages) {
  bool lacks = false, clearsMissing = false;
  for (const Elf64_Phdr &segment : image.segments) {
    if (segment.p_type != PT_LOAD)
      continue;
    lacks |= pages.lacks(segment.p_offset, endOf(segment) - segment.p_offset);
    clearsMissing |= clears(segment, pages);
  }
  if (!lacks)
    return Damage::Ends::Unknown;
  const Elf64_Phdr *dynamic = image.segment(PT_DYNAMIC);
  if (clearsMissing || (dynamic && pages.lacks(dynamic->p_offset, dynamic->p_filesz)) ||
      lacksTables(image, pages))
    return Damage::Ends::Loading;
  return Damage::Ends::Later;
}

llvm::Expected<std::optional<Damage>> findTruncation(Bytes &bytes) {
  std::optional<Damage> none;
  auto identity = identify(bytes);
  if (!identity)
    return identity.takeError();
  if (!identity->elf || (bytes.size() >= 20 && !identity->readable))
    return none;
  if (bytes.size() < sizeof(Elf64_Ehdr))
    return Damage{Damage::Ends::Refused, TooShort, "", bytes.size()};
  auto header = bytes.get<Elf64_Ehdr>(0, "the file header");
  if (!header)
    return header.takeError();
  bool isMapped = header->e_type == ET_DYN || header->e_type == ET_EXEC;
  // PN_XNUM: the number of program headers is in the section table.
  if (!isMapped || header->e_phentsize != sizeof(Elf64_Phdr) || header->e_phnum == 0xffff)
    return none;
  if (!bytes.holds(header->e_phoff, uint64_t(header->e_phnum) * sizeof(Elf64_Phdr)))
    return Damage{Damage::Ends::Refused, "cannot read file data", "", bytes.size()};
  auto image = Image::open(bytes);
  if (!image)
    return image.takeError();
  Pages pages{bytes.size(), uint64_t(identity->machine == EM_AARCH64 ? 64 : 4) << 10};
  Damage found;
  found.size = bytes.size();
  for (const Elf64_Phdr &segment : image->segments)
    if (segment.p_type == PT_LOAD && segment.p_filesz)
      found.needed = std::max(found.needed, endOf(segment));
  if (found.needed <= found.size)
    return none;
  found.ends = endsOf(*image, pages);
  return found;
}

} // namespace cudacc::binary
