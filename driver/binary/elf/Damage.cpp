// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/elf/Damage.h"
#include "driver/binary/elf/Header.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "llvm/Support/MathExtras.h"

namespace cudacc::binary {

using namespace llvm::ELF;

/// More than a process has on any machine of today: 128 TiB.
static constexpr uint64_t MostAddressSpace = uint64_t(1) << 47;
/// The loader compares addresses and offsets by pages of this size, or of a multiple of it.
static constexpr uint64_t LeastPage = 4 << 10;

static Damage refused(std::string words) {
  Damage damage;
  damage.ends = Damage::Ends::Refused;
  damage.because = "the loader refuses its headers";
  damage.words = std::move(words);
  return damage;
}

static Damage contradiction(Damage::Ends ends, std::string because) {
  Damage damage;
  damage.ends = ends;
  damage.because = std::move(because);
  return damage;
}

static std::optional<Damage> damageOfHeader(const Image &image) {
  auto start = image.bytes.bytes(0, sizeof(Elf64_Ehdr), "the file header");
  if (!start) {
    llvm::consumeError(start.takeError());
    return std::nullopt;
  }
  auto fault = headerFault(*start, image.header.e_machine);
  if (!fault || fault->isProgram || fault->isForeign)
    return std::nullopt;
  return refused(std::move(fault->words));
}

/// Segments that are mapped lie one behind the other, as the loader maps them from the first
/// address to the end of the last.
static std::optional<Damage> damageOfMapping(const Image &image) {
  const Elf64_Phdr *first = nullptr;
  uint64_t end = 0;
  for (const Elf64_Phdr &segment : image.segments) {
    if (segment.p_type != PT_LOAD)
      continue;
    if ((segment.p_vaddr - segment.p_offset) % LeastPage)
      return refused("ELF load command address/offset not page-aligned");
    if (!first)
      first = &segment;
    bool isHuge = segment.p_memsz > MostAddressSpace || segment.p_vaddr > MostAddressSpace ||
                  (segment.p_align > MostAddressSpace && llvm::isPowerOf2_64(segment.p_align));
    if (isHuge)
      return contradiction(Damage::Ends::Unknown, "a segment is larger than any address space");
    if (segment.p_vaddr < end)
      return contradiction(Damage::Ends::Unknown, "its segments are not in the order of addresses");
    if (segment.p_filesz > segment.p_memsz)
      return contradiction(Damage::Ends::Unknown, "a segment is larger in the file than in memory");
    end = segment.p_vaddr + segment.p_memsz;
  }
  return first ? std::nullopt : std::optional(refused("object file has no loadable segments"));
}

/// The loader writes into the dynamic section.
static std::optional<Damage> damageOfDynamicSegment(const Image &image) {
  unsigned count = 0;
  for (const Elf64_Phdr &segment : image.segments)
    count += segment.p_type == PT_DYNAMIC;
  const Elf64_Phdr *dynamic = image.segment(PT_DYNAMIC);
  // A file with debug information only keeps the program header with size 0.
  if (!dynamic || !dynamic->p_filesz)
    return std::nullopt;
  if (count > 1)
    return contradiction(Damage::Ends::Unknown, "it has more than one dynamic section");
  const Elf64_Phdr *home = image.segmentAt(dynamic->p_vaddr, sizeof(Elf64_Dyn));
  if (!home)
    return contradiction(Damage::Ends::Loading, "its dynamic section lies outside every segment");
  if (!(home->p_flags & PF_R) || !(home->p_flags & PF_W))
    return contradiction(Damage::Ends::Loading,
                         "its dynamic section lies in a segment that cannot be written");
  return std::nullopt;
}

/// Thread-local storage, and what becomes read-only after relocation. A file with debug information
/// only has neither.
static std::optional<Damage> damageOfOthers(const Image &image) {
  const Elf64_Phdr *dynamic = image.segment(PT_DYNAMIC);
  if (dynamic && !dynamic->p_filesz)
    return std::nullopt;
  for (const Elf64_Phdr &segment : image.segments) {
    if (segment.p_type == PT_TLS &&
        (segment.p_filesz > segment.p_memsz || segment.p_memsz > UINT32_MAX ||
         segment.p_align > UINT32_MAX || (segment.p_align & (segment.p_align - 1)) ||
         (segment.p_filesz && !image.segmentAt(segment.p_vaddr, segment.p_filesz))))
      return contradiction(Damage::Ends::Unknown, "its segment of thread-local storage is damaged");
    // The end may be rounded up to a page.
    if (segment.p_type == PT_GNU_RELRO && segment.p_memsz &&
        (segment.p_memsz > MostAddressSpace || !image.segmentAt(segment.p_vaddr, 1)))
      return contradiction(Damage::Ends::Unknown,
                           "the part that becomes read-only lies outside every segment");
  }
  return std::nullopt;
}

std::optional<Damage> damageOfSegments(const Image &image) {
  bool isMapped = image.header.e_type == ET_DYN || image.header.e_type == ET_EXEC;
  bool isRead = image.header.e_machine == EM_X86_64 || image.header.e_machine == EM_AARCH64;
  if (!isMapped || !isRead)
    return std::nullopt;
  for (auto *damage : {damageOfHeader, damageOfMapping, damageOfDynamicSegment, damageOfOthers})
    if (std::optional<Damage> found = damage(image))
      return found;
  return std::nullopt;
}

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

llvm::Expected<std::optional<Damage>> findDamage(core::ReadableFile &file, llvm::StringRef path) {
  Bytes bytes(file, path, 0, file.size());
  auto truncation = findTruncation(bytes);
  if (!truncation || *truncation)
    return truncation;
  auto identity = identify(bytes);
  if (!identity)
    return identity.takeError();
  if (!identity->readable)
    return std::nullopt;
  auto image = Image::open(bytes);
  if (!image)
    return image.takeError();
  if (std::optional<Damage> damage = damageOfSegments(*image))
    return damage;
  core::BinaryFacts facts;
  auto dynamic = readDynamic(*image, facts);
  if (!dynamic)
    return dynamic.takeError();
  return damageOfTables(*image, *dynamic, /*relocations=*/false);
}

static std::string loaderText(const Damage &damage, llvm::StringRef path) {
  switch (damage.ends) {
  case Damage::Ends::Refused:
    return fmt::format("{}: {}", path, damage.words);
  case Damage::Ends::Loading:
    return damage.isTruncated() ? "maps it and gets SIGBUS or SIGSEGV, which ends the process"
                                : "cannot load it, or dies of it";
  case Damage::Ends::Later:
    return "maps it; an access to the missing pages raises SIGBUS";
  case Damage::Ends::Unknown:
    break;
  }
  return damage.isTruncated() ? "maps it; the missing bytes read as zeros" : "";
}

core::Finding damageFinding(const Damage &damage, llvm::StringRef path) {
  bool isCertain = damage.ends != Damage::Ends::Unknown;
  core::Finding finding =
      core::makeFinding(isCertain ? core::Code::Damaged : core::Code::BrokenBinary,
                        fmt::format("{} is {}", support::nameOf(path),
                                    damage.isTruncated() ? "truncated" : "damaged"));
  finding.addFact("file", path.str());
  if (damage.isTruncated()) {
    std::string size = fmt::format("{} bytes", damage.size);
    if (damage.needed)
      size += fmt::format("; its segments end at {}", damage.needed);
    finding.addFact("size", size);
  } else {
    finding.addFact("because", damage.because);
  }
  if (std::string text = loaderText(damage, path); !text.empty())
    finding.addFact("loader", text);
  return finding;
}

llvm::Expected<bool> hasCode(core::ReadableFile &file, llvm::StringRef path) {
  Bytes bytes(file, path, 0, file.size());
  auto image = Image::open(bytes);
  if (!image)
    return image.takeError();
  for (const Elf64_Phdr &segment : image->segments)
    if (segment.p_type == PT_LOAD && segment.p_flags & PF_X)
      return true;
  return false;
}

} // namespace cudacc::binary
