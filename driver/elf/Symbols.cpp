#include "driver/elf/Symbols.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::elf {

using namespace llvm::ELF;

static constexpr uint64_t MaxSymbols = 1 << 24, MaxImports = 1 << 18, MaxNames = 32 << 20;
/// Version indices have 15 bits.
static constexpr uint64_t MaxVersions = 1 << 15;

namespace {
struct Undefined {
  uint32_t name = 0, index = 0;
  bool weak = false;
};
struct GnuHashHeader {
  uint32_t buckets, firstSymbol, filterWords, shift;
};
struct Need {
  uint16_t version, count;
  uint32_t file, first, next;
};
struct NeedVersion {
  uint32_t hash;
  uint16_t flags, index;
  uint32_t name, next;
};
struct Version {
  std::string name, file;
};
/// Where names lie and how to say so.
struct Strings {
  uint64_t offset, size;
};
} // namespace

/// Symbols that the GNU hash table reaches; 0 when it holds none, which says nothing about those
/// that are not hashed (bfd 2.40 then writes 1 as the first hashed symbol whatever precedes).
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

/// The count that the section headers give; 0 when they were stripped.
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

/// One more than the highest symbol that a relocation names: the others cannot fail to load.
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

static llvm::Expected<uint64_t> symbolCount(const Image &image, const Dynamic &dynamic) {
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

static llvm::Expected<std::vector<Undefined>> scan(Bytes &bytes, uint64_t offset, uint64_t count) {
  std::vector<Undefined> found;
  if (count > MaxSymbols)
    return bytes.limit("more than 2^24 symbols");
  if (auto error = bytes.each<Elf64_Sym>(
          offset, count, "the symbol table",
          [&](uint64_t index, const Elf64_Sym &symbol) -> llvm::Error {
            uint8_t binding = symbol.getBinding();
            if (symbol.st_shndx != SHN_UNDEF || binding == STB_LOCAL || !symbol.st_name)
              return llvm::Error::success();
            if (found.size() == MaxImports)
              return bytes.limit("more than 2^18 imports");
            found.push_back({symbol.st_name, uint32_t(index), binding == STB_WEAK});
            return llvm::Error::success();
          }))
    return error;
  return found;
}

/// Names are read in the order in which they lie, so that each part of the table is read once.
static llvm::Error readNames(Bytes &bytes, Strings strings, llvm::ArrayRef<Undefined> found,
                             std::vector<core::Import> &imports) {
  std::vector<uint32_t> order(found.size());
  for (uint32_t i = 0; i != order.size(); ++i)
    order[i] = i;
  llvm::sort(order, [&](uint32_t a, uint32_t b) { return found[a].name < found[b].name; });
  imports.resize(found.size());
  uint64_t total = 0;
  for (uint32_t i : order) {
    if (found[i].name >= strings.size)
      return bytes.broken("a symbol's name lies outside the string table", strings.offset);
    auto name = bytes.string(strings.offset + found[i].name, strings.offset + strings.size,
                             "a symbol's name");
    if (!name)
      return name.takeError();
    total += name->size();
    if (total > MaxNames)
      return bytes.limit("imported names of more than 32 MiB");
    imports[i].symbol = std::move(*name);
    imports[i].weak = found[i].weak;
  }
  return llvm::Error::success();
}

static llvm::Error readNeed(Bytes &bytes, const Dynamic &dynamic, uint64_t offset, const Need &need,
                            std::vector<Version> &versions, uint64_t &budget) {
  static constexpr char what[] = "the table of needed versions";
  auto file = dynamic.string(bytes, need.file, "the file of a needed version");
  if (!file)
    return file.takeError();
  offset += need.first;
  for (unsigned i = 0; i != need.count; ++i) {
    if (!budget--)
      return bytes.broken("too many needed versions", offset);
    auto aux = bytes.get<NeedVersion>(offset, what);
    if (!aux)
      return aux.takeError();
    auto name = dynamic.string(bytes, aux->name, "the name of a needed version");
    if (!name)
      return name.takeError();
    size_t index = aux->index & 0x7fff;
    if (versions.size() <= index)
      versions.resize(index + 1);
    versions[index] = {std::move(*name), *file};
    if (!aux->next)
      break;
    offset += aux->next;
  }
  return llvm::Error::success();
}

/// Indexed by version index; entries without name are none of verneed's.
static llvm::Expected<std::vector<Version>> readNeeds(const Image &image, const Dynamic &dynamic) {
  static constexpr char what[] = "the table of needed versions";
  std::vector<Version> versions;
  if (!dynamic.needs || !dynamic.needCount)
    return versions;
  auto begin = image.offsetOf(dynamic.needs, sizeof(Need), what);
  if (!begin)
    return begin.takeError();
  uint64_t offset = *begin, budget = MaxVersions;
  for (uint64_t i = 0; i != dynamic.needCount; ++i) {
    if (i == MaxVersions)
      return image.bytes.broken("too many needed versions", offset);
    auto need = image.bytes.get<Need>(offset, what);
    if (!need)
      return need.takeError();
    if (auto error = readNeed(image.bytes, dynamic, offset, *need, versions, budget))
      return error;
    if (!need->next)
      break;
    offset += need->next;
  }
  return versions;
}

static llvm::Error readVersions(const Image &image, const Dynamic &dynamic,
                                llvm::ArrayRef<Undefined> found,
                                std::vector<core::Import> &imports) {
  auto versions = readNeeds(image, dynamic);
  if (!versions)
    return versions.takeError();
  if (versions->empty() || !dynamic.versions || found.empty())
    return llvm::Error::success();
  uint64_t count = uint64_t(found.back().index) + 1;
  auto table = image.offsetOf(dynamic.versions, count * 2, "the symbol version table");
  if (!table)
    return table.takeError();
  uint64_t total = 0;
  for (size_t i = 0; i != found.size(); ++i) {
    auto raw = image.bytes.get<uint16_t>(*table + found[i].index * 2, "the symbol version table");
    if (!raw)
      return raw.takeError();
    size_t index = *raw & 0x7fff;
    if (index >= versions->size())
      continue;
    const Version &version = (*versions)[index];
    total += version.name.size() + version.file.size();
    if (total > MaxNames)
      return image.bytes.limit("version names of more than 32 MiB");
    imports[i].version = version.name;
    imports[i].file = version.file;
  }
  return llvm::Error::success();
}

llvm::Error readImports(const Image &image, const Dynamic &dynamic,
                        std::vector<core::Import> &imports) {
  if (!dynamic.symbols)
    return llvm::Error::success();
  auto count = symbolCount(image, dynamic);
  if (!count)
    return count.takeError();
  auto table = image.offsetOf(dynamic.symbols, *count * sizeof(Elf64_Sym), "the symbol table");
  if (!table)
    return table.takeError();
  auto found = scan(image.bytes, *table, *count);
  if (!found)
    return found.takeError();
  if (auto error =
          readNames(image.bytes, {dynamic.stringsOffset, dynamic.stringsSize}, *found, imports))
    return error;
  return readVersions(image, dynamic, *found, imports);
}

llvm::Error readUndefined(const Image &image, std::vector<core::Import> &imports) {
  std::optional<Elf64_Shdr> table;
  if (auto error = image.eachSection([&](uint64_t, const Elf64_Shdr &section) {
        if (section.sh_type == SHT_SYMTAB)
          table = section;
        return llvm::Error::success();
      }))
    return error;
  if (!table)
    return llvm::Error::success();
  if (table->sh_link >= image.sectionCount)
    return image.bytes.broken("the symbol table has no string table", table->sh_offset);
  auto strings = image.section(table->sh_link);
  if (!strings)
    return strings.takeError();
  if (!image.bytes.holds(strings->sh_offset, strings->sh_size))
    return image.bytes.broken("the string table reaches beyond the end", strings->sh_offset);
  auto found = scan(image.bytes, table->sh_offset, table->sh_size / sizeof(Elf64_Sym));
  if (!found)
    return found.takeError();
  return readNames(image.bytes, {strings->sh_offset, strings->sh_size}, *found, imports);
}

} // namespace cudacc::elf
