// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/device/FatbinWrappers.h"
#include "driver/binary/device/Fatbin.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::binary {

using namespace llvm::ELF;

namespace {
/// The pointer in one wrapper.
struct WrapperSlot {
  /// Position of the pointer: an address, or in an object an offset in its section.
  uint64_t address;
  /// The stored value; once resolved, the container's address, or in an object its file offset.
  uint64_t value;
  /// File offset of the wrapper.
  uint64_t offset;
  /// Section index, as in WrapperRange.
  uint64_t section;
  bool linked;
  bool resolved = false;
};

/// The PT_LOAD segments, for look-up by address.
class LoadMap {
public:
  explicit LoadMap(const Image &image);
  /// File offset of \p address if \p size bytes from there are in the file.
  std::optional<uint64_t> offsetOf(uint64_t address, uint64_t size) const;

private:
  const Image &image;
  std::vector<llvm::ELF::Elf64_Phdr> loads;
};

using Slots = llvm::MutableArrayRef<WrapperSlot>;
} // namespace

LoadMap::LoadMap(const Image &image) : image(image) {
  for (const Elf64_Phdr &segment : image.segments)
    if (segment.p_type == PT_LOAD)
      loads.push_back(segment);
  llvm::sort(loads, [](const Elf64_Phdr &a, const Elf64_Phdr &b) { return a.p_vaddr < b.p_vaddr; });
}

std::optional<uint64_t> LoadMap::offsetOf(uint64_t address, uint64_t size) const {
  auto next = llvm::upper_bound(loads, address, [](uint64_t address, const Elf64_Phdr &segment) {
    return address < segment.p_vaddr;
  });
  if (next == loads.begin())
    return std::nullopt;
  const Elf64_Phdr &segment = *std::prev(next);
  uint64_t into = address - segment.p_vaddr;
  if (into > segment.p_filesz || size > segment.p_filesz - into ||
      !image.bytes.holds(segment.p_offset, into) ||
      !image.bytes.holds(segment.p_offset + into, size))
    return std::nullopt;
  return segment.p_offset + into;
}

static bool isRelative(uint16_t machine, uint32_t type) {
  return machine == EM_AARCH64 ? type == R_AARCH64_RELATIVE : type == R_X86_64_RELATIVE;
}

static bool isAbsolute(uint16_t machine, uint32_t type) {
  return machine == EM_AARCH64 ? type == R_AARCH64_ABS64 : type == R_X86_64_64;
}

/// The unresolved slot to which a relocation at \p address applies; null if there is none.
static WrapperSlot *slotAt(Slots slots, uint64_t address) {
  auto *slot = llvm::lower_bound(slots, address, [](const WrapperSlot &slot, uint64_t address) {
    return slot.address < address;
  });
  bool found = slot != slots.end() && slot->address == address && !slot->resolved;
  return found ? slot : nullptr;
}

namespace {
struct RelocationTable {
  /// Addresses; 0 if absent.
  uint64_t table = 0, symbols = 0;
  uint64_t size = 0, relative = 0;
};

class LinkedResolver {
public:
  LinkedResolver(const Image &image, const LoadMap &map, Slots slots)
      : image(image), map(map), slots(slots), unresolved(slots.size()) {}
  llvm::Error run();

private:
  const Image &image;
  const LoadMap &map;
  Slots slots;
  size_t unresolved;
  RelocationTable found;
  /// File offset of the table.
  uint64_t table = 0;

  llvm::Error findTable();
  /// Index of the first of \p count relocations, sorted by address, that can apply to a slot.
  llvm::Expected<uint64_t> firstOf(uint64_t count);
  /// Applies a part of the table; returns the last address in it.
  llvm::Expected<uint64_t> apply(uint64_t from, uint64_t to);
  llvm::Error apply(const Elf64_Rela &relocation);
};
} // namespace

llvm::Error LinkedResolver::findTable() {
  const Elf64_Phdr *dynamic = image.segment(PT_DYNAMIC);
  if (!dynamic)
    return llvm::Error::success();
  bool ended = false;
  return image.bytes.each<Elf64_Dyn>(dynamic->p_offset, dynamic->p_filesz / sizeof(Elf64_Dyn),
                                     "the dynamic section", [&](uint64_t, const Elf64_Dyn &entry) {
                                       ended |= entry.d_tag == DT_NULL;
                                       if (!ended && entry.d_tag == DT_RELA)
                                         found.table = entry.d_un.d_ptr;
                                       if (!ended && entry.d_tag == DT_RELASZ)
                                         found.size = entry.d_un.d_val;
                                       if (!ended && entry.d_tag == DT_RELACOUNT)
                                         found.relative = entry.d_un.d_val;
                                       if (!ended && entry.d_tag == DT_SYMTAB)
                                         found.symbols = entry.d_un.d_ptr;
                                       return llvm::Error::success();
                                     });
}

llvm::Error LinkedResolver::apply(const Elf64_Rela &relocation) {
  WrapperSlot *slot = slotAt(slots, relocation.r_offset);
  if (!slot)
    return llvm::Error::success();
  if (isRelative(image.header.e_machine, relocation.getType())) {
    slot->value = relocation.r_addend;
  } else if (isAbsolute(image.header.e_machine, relocation.getType())) {
    uint64_t entry = found.symbols + uint64_t(relocation.getSymbol()) * sizeof(Elf64_Sym);
    auto at = map.offsetOf(entry, sizeof(Elf64_Sym));
    if (!at)
      return llvm::Error::success();
    auto symbol = image.bytes.get<Elf64_Sym>(*at, "a symbol");
    if (!symbol)
      return symbol.takeError();
    slot->value = symbol->st_shndx == SHN_UNDEF ? 0 : symbol->st_value + relocation.r_addend;
  } else {
    return llvm::Error::success();
  }
  slot->resolved = true;
  --unresolved;
  return llvm::Error::success();
}

llvm::Expected<uint64_t> LinkedResolver::apply(uint64_t from, uint64_t to) {
  uint64_t last = 0;
  if (auto error = image.bytes.each<Elf64_Rela>(table + from * sizeof(Elf64_Rela), to - from,
                                                "the relocations",
                                                [&](uint64_t, const Elf64_Rela &relocation) {
                                                  last = relocation.r_offset;
                                                  return apply(relocation);
                                                }))
    return error;
  return last;
}

llvm::Expected<uint64_t> LinkedResolver::firstOf(uint64_t count) {
  uint64_t low = 0, high = count;
  while (low != high) {
    uint64_t middle = low + (high - low) / 2;
    Elf64_Rela relocation;
    if (auto error = image.bytes.readApart(
            table + middle * sizeof(Elf64_Rela),
            {reinterpret_cast<char *>(&relocation), sizeof(relocation)}, "the relocations"))
      return error;
    if (relocation.r_offset < slots.front().address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

llvm::Error LinkedResolver::run() {
  if (auto error = findTable())
    return error;
  uint64_t count = found.size / sizeof(Elf64_Rela);
  auto at = map.offsetOf(found.table, count * sizeof(Elf64_Rela));
  if (!count || !at)
    return llvm::Error::success();
  table = *at;
  // Linkers put the relative relocations first, sorted, and wrappers are adjacent, so only a few
  // entries of a table of a million are read.
  uint64_t relative = std::min(count, found.relative);
  auto from = firstOf(relative);
  if (!from)
    return from.takeError();
  while (*from != relative && unresolved) {
    uint64_t to = std::min<uint64_t>(relative, *from + 64);
    auto last = apply(*from, to);
    if (!last)
      return last.takeError();
    if (*last > slots.back().address)
      break;
    *from = to;
  }
  if (!unresolved)
    return llvm::Error::success();
  return apply(0, count).takeError();
}

/// Resolves those slots of a linked file, sorted by address, to which a relocation applies. The
/// others contain their address: packed as RELR, or not position-independent.
static llvm::Error resolveLinked(const Image &image, const LoadMap &map, Slots slots) {
  return slots.empty() ? llvm::Error::success() : LinkedResolver(image, map, slots).run();
}

namespace {
class ObjectResolver {
public:
  ObjectResolver(const Image &image) : image(image) {}
  llvm::Error findTables(llvm::ArrayRef<WrapperRange> ranges);
  llvm::Error resolve(const Elf64_Shdr &table, Slots slots);
  /// For each range, the relocation section of its section; SHT_NULL if there is none.
  std::vector<Elf64_Shdr> tables;

private:
  const Image &image;
  /// The section with the section numbers that do not fit into a symbol (SHN_XINDEX).
  Elf64_Shdr numbers{};

  llvm::Expected<uint64_t> sectionOf(const Elf64_Sym &symbol, uint64_t index, uint64_t symbols);
  /// File offset that a symbol and addend refer to; 0 if it is not in this file.
  llvm::Expected<uint64_t> target(const Elf64_Shdr &table, const Elf64_Rela &relocation);
};
} // namespace

llvm::Error ObjectResolver::findTables(llvm::ArrayRef<WrapperRange> ranges) {
  tables.resize(ranges.size());
  uint64_t size = 0;
  return image.eachSection([&](uint64_t, const Elf64_Shdr &section) -> llvm::Error {
    if (section.sh_type == SHT_SYMTAB_SHNDX && numbers.sh_type == SHT_NULL)
      numbers = section;
    if (section.sh_type != SHT_RELA)
      return llvm::Error::success();
    auto *range =
        llvm::lower_bound(ranges, section.sh_info, [](const WrapperRange &range, uint64_t index) {
          return range.section < index;
        });
    if (range == ranges.end() || range->section != section.sh_info ||
        tables[range - ranges.begin()].sh_type != SHT_NULL)
      return llvm::Error::success();
    size += section.sh_size;
    if (section.sh_size > image.bytes.size() || size > image.bytes.size() ||
        section.sh_link >= image.sectionCount)
      return image.bytes.broken("relocations of a size they cannot have", section.sh_offset);
    tables[range - ranges.begin()] = section;
    return llvm::Error::success();
  });
}

llvm::Expected<uint64_t> ObjectResolver::sectionOf(const Elf64_Sym &symbol, uint64_t index,
                                                   uint64_t symbols) {
  if (symbol.st_shndx != SHN_XINDEX)
    return symbol.st_shndx < SHN_LORESERVE ? symbol.st_shndx : 0;
  if (numbers.sh_link != symbols || index >= numbers.sh_size / sizeof(uint32_t))
    return 0;
  auto value = image.bytes.get<uint32_t>(numbers.sh_offset + index * sizeof(uint32_t),
                                         "the table of section numbers");
  if (!value)
    return value.takeError();
  return *value;
}

llvm::Expected<uint64_t> ObjectResolver::target(const Elf64_Shdr &table,
                                                const Elf64_Rela &relocation) {
  auto symbols = image.section(table.sh_link);
  if (!symbols)
    return symbols.takeError();
  uint64_t index = relocation.getSymbol();
  if (index >= symbols->sh_size / sizeof(Elf64_Sym))
    return 0;
  auto symbol =
      image.bytes.get<Elf64_Sym>(symbols->sh_offset + index * sizeof(Elf64_Sym), "a symbol");
  if (!symbol)
    return symbol.takeError();
  auto number = sectionOf(*symbol, index, table.sh_link);
  if (!number)
    return number.takeError();
  if (!*number || *number >= image.sectionCount)
    return 0;
  auto section = image.section(*number);
  if (!section)
    return section.takeError();
  uint64_t into = symbol->st_value + relocation.r_addend;
  bool inside = section->sh_type != SHT_NOBITS && into < section->sh_size;
  return inside ? section->sh_offset + into : 0;
}

llvm::Error ObjectResolver::resolve(const Elf64_Shdr &table, Slots slots) {
  return image.bytes.each<Elf64_Rela>(
      table.sh_offset, table.sh_size / sizeof(Elf64_Rela), "the relocations",
      [&](uint64_t, const Elf64_Rela &relocation) -> llvm::Error {
        WrapperSlot *slot = slotAt(slots, relocation.r_offset);
        if (!slot || !isAbsolute(image.header.e_machine, relocation.getType()))
          return llvm::Error::success();
        auto offset = target(table, relocation);
        if (!offset)
          return offset.takeError();
        slot->value = *offset;
        slot->resolved = true;
        return llvm::Error::success();
      });
}

/// Resolves the slots of an object, in the order of \p ranges, which are sorted by section.
static llvm::Error resolveObject(const Image &image, llvm::ArrayRef<WrapperRange> ranges,
                                 Slots slots) {
  ObjectResolver resolver(image);
  if (auto error = resolver.findTables(ranges))
    return error;
  for (auto [range, table] : llvm::zip(ranges, resolver.tables)) {
    Slots own =
        slots.take_while([&](const WrapperSlot &slot) { return slot.section == range.section; });
    slots = slots.drop_front(own.size());
    if (table.sh_type == SHT_NULL)
      continue;
    if (auto error = resolver.resolve(table, own))
      return error;
  }
  return llvm::Error::success();
}

static constexpr uint64_t MaxWrappers = 1 << 18;

namespace {
class Wrappers {
public:
  Wrappers(const Image &image, core::DeviceCode &device)
      : image(image), device(device), isObject(image.header.e_type == ET_REL) {}

  llvm::Error collect(const WrapperRange &range);
  llvm::Expected<std::vector<WrapperTarget>> targets(llvm::ArrayRef<WrapperRange> ranges);

private:
  const Image &image;
  core::DeviceCode &device;
  bool isObject;
  std::vector<WrapperSlot> slots;
  /// Total size of all ranges.
  uint64_t size = 0;
};
} // namespace

llvm::Error Wrappers::collect(const WrapperRange &range) {
  uint64_t count = range.size / sizeof(Wrapper);
  size += range.size;
  if (range.size > image.bytes.size() || size > image.bytes.size())
    return image.bytes.broken("the wrappers reach beyond the end", range.offset);
  if (range.size % sizeof(Wrapper))
    addClause(device.brokenWrappers, fmt::format("wrappers end in the middle of one (at {})",
                                                 image.bytes.where(range.offset)));
  if (count > MaxWrappers - slots.size()) {
    addClause(device.limits, "more than 262144 wrappers");
    count = MaxWrappers - slots.size();
  }
  return image.bytes.each<Wrapper>(
      range.offset, count, "the wrappers", [&](uint64_t i, const Wrapper &wrapper) {
        uint64_t into = i * sizeof(Wrapper);
        auto where = [&] {
          return fmt::format(" (at {})", image.bytes.where(range.offset + into));
        };
        if (wrapper.magic != WrapperMagic) {
          addClause(device.brokenWrappers, "a wrapper without its magic number" + where());
        } else if (wrapper.version != 1 && wrapper.version != 2) {
          addClause(device.unknown,
                    fmt::format("a wrapper of version {}{}", wrapper.version, where()));
        } else {
          slots.push_back({range.address + into + offsetof(Wrapper, container), wrapper.container,
                           range.offset + into, range.section, wrapper.version == 2});
        }
        return llvm::Error::success();
      });
}

llvm::Expected<std::vector<WrapperTarget>> Wrappers::targets(llvm::ArrayRef<WrapperRange> ranges) {
  if (slots.empty())
    return std::vector<WrapperTarget>();
  LoadMap map(image);
  if (!isObject)
    llvm::sort(slots,
               [](const WrapperSlot &a, const WrapperSlot &b) { return a.address < b.address; });
  if (auto error =
          isObject ? resolveObject(image, ranges, slots) : resolveLinked(image, map, slots))
    return error;
  std::vector<WrapperTarget> targets;
  for (const WrapperSlot &slot : slots) {
    uint64_t offset = isObject ? (slot.resolved ? slot.value : 0)
                               : map.offsetOf(slot.value, ContainerHeaderSize).value_or(0);
    targets.push_back({offset, slot.linked, slot.offset});
  }
  llvm::sort(targets);
  return targets;
}

llvm::Expected<std::vector<WrapperTarget>>
readWrappers(const Image &image, llvm::ArrayRef<WrapperRange> ranges, core::DeviceCode &device) {
  Wrappers wrappers(image, device);
  for (const WrapperRange &range : ranges)
    if (auto error = wrappers.collect(range))
      return error;
  return wrappers.targets(ranges);
}

} // namespace cudacc::binary
