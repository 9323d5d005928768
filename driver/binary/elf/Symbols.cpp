// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/elf/Symbols.h"
#include "driver/binary/elf/SymbolCount.h"
#include "driver/binary/elf/Versions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

namespace cudacc::binary {

using namespace llvm::ELF;

/// Beyond what any linker makes; bounds memory. libtensorflow_cc.so.2 has 64 MiB of names.
static constexpr uint64_t MaxKept = 1 << 21;
/// Limits for the total length of names; names may share bytes. Tables up to LeastNameBytes / 2 get
/// the least, larger ones twice their size, at most MostNameBytes.
static constexpr uint64_t LeastNameBytes = 64 << 20, MostNameBytes = uint64_t(1) << 30;

namespace {
/// A selected symbol, without its name.
struct Kept {
  uint32_t name, index;
  uint16_t section;
  uint8_t info;
  bool weak() const { return info >> 4 == STB_WEAK; }
};
} // namespace

static llvm::Expected<std::vector<Kept>> scan(Bytes &bytes, uint64_t offset, uint64_t count,
                                              llvm::function_ref<bool(const Elf64_Sym &)> wanted) {
  std::vector<Kept> kept;
  if (count > MaxSymbols)
    return bytes.limit("more than 2^24 symbols");
  if (auto error = bytes.each<Elf64_Sym>(
          offset, count, "the symbol table",
          [&](uint64_t index, const Elf64_Sym &symbol) -> llvm::Error {
            if (!symbol.st_name || symbol.getBinding() == STB_LOCAL || !wanted(symbol))
              return llvm::Error::success();
            if (kept.size() == MaxKept)
              return bytes.limit("more than 2^21 symbols of interest");
            kept.push_back({symbol.st_name, uint32_t(index), symbol.st_shndx, symbol.st_info});
            return llvm::Error::success();
          }))
    return error;
  return kept;
}

/// The limit for the total length of names from a string table of this size.
static uint64_t nameBytesOf(StringTable strings) {
  return std::clamp(2 * std::min(strings.size, MostNameBytes), LeastNameBytes, MostNameBytes);
}

/// Reads names in file order, so that each part of the table is read once.
static llvm::Error eachName(Bytes &bytes, StringTable strings, llvm::ArrayRef<Kept> kept,
                            llvm::function_ref<void(size_t, std::string)> put) {
  std::vector<uint32_t> order(kept.size());
  for (uint32_t i = 0; i != order.size(); ++i)
    order[i] = i;
  llvm::sort(order, [&](uint32_t a, uint32_t b) { return kept[a].name < kept[b].name; });
  uint64_t total = 0;
  for (uint32_t i : order) {
    if (kept[i].name >= strings.size)
      return bytes.broken("a symbol's name lies outside the string table", strings.offset);
    auto name = bytes.string(strings.offset + kept[i].name, strings.offset + strings.size,
                             "a symbol's name");
    if (!name)
      return name.takeError();
    total += name->size();
    if (total > nameBytesOf(strings))
      return bytes.limit("symbol names of more than 64 MiB, and twice their table");
    put(i, std::move(*name));
  }
  return llvm::Error::success();
}

bool bindable(const Elf64_Sym &symbol) {
  if (symbol.st_shndx == SHN_UNDEF)
    return false;
  uint8_t type = symbol.getType(), visibility = symbol.st_other & 3;
  if (visibility == STV_HIDDEN || visibility == STV_INTERNAL)
    return false;
  if (!symbol.st_value && symbol.st_shndx != SHN_ABS && type != STT_TLS)
    return false;
  return type <= STT_FUNC || type == STT_COMMON || type == STT_TLS || type == STT_GNU_IFUNC;
}

namespace {
/// Adds the versions to the selected dynamic symbols.
class Versioned {
public:
  Versioned(const Image &image, const Dynamic &dynamic, const VersionNames &versions)
      : bytes(image.bytes), image(image), dynamic(dynamic), versions(versions) {}

  llvm::Error imports(llvm::ArrayRef<Kept> kept, std::vector<core::Import> &imports);
  llvm::Error exports(llvm::ArrayRef<Kept> kept, std::vector<core::Export> &exports);

private:
  Bytes &bytes;
  const Image &image;
  const Dynamic &dynamic;
  const VersionNames &versions;
  uint64_t total = 0;

  llvm::Error
  each(llvm::ArrayRef<Kept> kept,
       llvm::function_ref<void(size_t, uint16_t entry, const VersionNames::Version *)> visit);
};
} // namespace

llvm::Error
Versioned::each(llvm::ArrayRef<Kept> kept,
                llvm::function_ref<void(size_t, uint16_t, const VersionNames::Version *)> visit) {
  static constexpr char what[] = "the symbol version table";
  if (versions.byIndex.empty() || !dynamic.versions || kept.empty())
    return llvm::Error::success();
  auto table = image.offsetOf(dynamic.versions, (uint64_t(kept.back().index) + 1) * 2, what);
  if (!table)
    return table.takeError();
  for (size_t i = 0; i != kept.size(); ++i) {
    auto entry = bytes.get<uint16_t>(*table + uint64_t(kept[i].index) * 2, what);
    if (!entry)
      return entry.takeError();
    const VersionNames::Version *version = versions.at(*entry);
    // The total is limited, as every symbol stores a copy of the name.
    total += version ? version->name.size() : 0;
    if (total > LeastNameBytes)
      return bytes.limit("version names of more than 64 MiB");
    visit(i, *entry, version);
  }
  return llvm::Error::success();
}

llvm::Error Versioned::imports(llvm::ArrayRef<Kept> kept, std::vector<core::Import> &imports) {
  return each(kept, [&](size_t i, uint16_t, const VersionNames::Version *version) {
    if (!version || version->defined)
      return;
    imports[i].version = version->name;
    imports[i].file = versions.files[version->file];
    total += imports[i].file.size();
  });
}

llvm::Error Versioned::exports(llvm::ArrayRef<Kept> kept, std::vector<core::Export> &exports) {
  return each(kept, [&](size_t i, uint16_t entry, const VersionNames::Version *version) {
    exports[i].isHidden = entry & 0x8000;
    if (version && version->defined)
      exports[i].version = version->name;
  });
}

static llvm::Error readExports(Bytes &bytes, StringTable strings, llvm::ArrayRef<Kept> kept,
                               Versioned &versioned, core::BinaryFacts &facts) {
  facts.exports.resize(kept.size());
  if (auto error = eachName(bytes, strings, kept, [&](size_t i, std::string name) {
        uint8_t type = kept[i].info & 15;
        facts.exports[i].symbol = std::move(name);
        facts.exports[i].isWeak = kept[i].weak();
        facts.exports[i].isFunction = type == STT_FUNC || type == STT_GNU_IFUNC;
      }))
    return error;
  if (auto error = versioned.exports(kept, facts.exports))
    return error;
  // SY-5: linkers export each node as an absolute symbol with the node's name.
  llvm::StringSet<> nodes;
  for (const std::string &node : facts.definedVersions)
    nodes.insert(node);
  size_t count = 0;
  for (size_t i = 0; i != kept.size(); ++i) {
    core::Export &symbol = facts.exports[i];
    if (kept[i].section == SHN_ABS && nodes.contains(symbol.symbol))
      continue;
    if (count != i)
      facts.exports[count] = std::move(symbol);
    ++count;
  }
  facts.exports.resize(count);
  return llvm::Error::success();
}

static llvm::Error readTable(const Image &image, const Dynamic &dynamic, bool imports, bool exports,
                             const VersionNames &versions, core::BinaryFacts &facts) {
  Bytes &bytes = image.bytes;
  auto count = symbolCount(image, dynamic);
  if (!count)
    return count.takeError();
  auto table = image.offsetOf(dynamic.symbols, *count * sizeof(Elf64_Sym), "the symbol table");
  if (!table)
    return table.takeError();
  StringTable strings{dynamic.stringsOffset, dynamic.stringsSize};
  Versioned versioned(image, dynamic, versions);
  if (imports) {
    auto kept = scan(bytes, *table, *count,
                     [](const Elf64_Sym &symbol) { return symbol.st_shndx == SHN_UNDEF; });
    if (!kept)
      return kept.takeError();
    facts.imports.resize(kept->size());
    if (auto error = eachName(bytes, strings, *kept, [&](size_t i, std::string name) {
          facts.imports[i].symbol = std::move(name);
          facts.imports[i].weak = (*kept)[i].weak();
        }))
      return error;
    if (auto error = versioned.imports(*kept, facts.imports))
      return error;
  }
  if (!exports)
    return llvm::Error::success();
  auto kept = scan(bytes, *table, *count, bindable);
  if (!kept)
    return kept.takeError();
  return readExports(bytes, strings, *kept, versioned, facts);
}

llvm::Error readDynamicSymbols(const Image &image, const Dynamic &dynamic, bool imports,
                               bool exports, core::BinaryFacts &facts) {
  auto versions = readVersionNames(image, dynamic);
  if (!versions)
    return versions.takeError();
  facts.hasVersionTable = dynamic.versions;
  facts.definedVersions = versions->defined();
  facts.versionFiles = versions->files;
  if (!dynamic.symbols || !(imports || exports))
    return llvm::Error::success();
  return readTable(image, dynamic, imports, exports, *versions, facts);
}

llvm::Expected<Elf64_Shdr> symbolTable(const Image &image, StringTable &strings) {
  Elf64_Shdr table{};
  if (auto error = image.eachSection([&](uint64_t, const Elf64_Shdr &section) {
        if (section.sh_type == SHT_SYMTAB)
          table = section;
        return llvm::Error::success();
      }))
    return error;
  if (!table.sh_type)
    return table;
  if (table.sh_link >= image.sectionCount)
    return image.bytes.broken("the symbol table has no string table", table.sh_offset);
  auto section = image.section(table.sh_link);
  if (!section)
    return section.takeError();
  if (!image.bytes.holds(section->sh_offset, section->sh_size))
    return image.bytes.broken("the string table reaches beyond the end", section->sh_offset);
  strings = {section->sh_offset, section->sh_size};
  return table;
}

llvm::Error readObjectSymbols(const Image &image, bool defined, ObjectSymbols &symbols) {
  StringTable strings{};
  auto table = symbolTable(image, strings);
  if (!table)
    return table.takeError();
  auto kept =
      scan(image.bytes, table->sh_offset, table->sh_size / sizeof(Elf64_Sym),
           [&](const Elf64_Sym &symbol) {
             return defined || symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_COMMON;
           });
  if (!kept)
    return kept.takeError();
  symbols.undefined.resize(kept->size());
  if (auto error = eachName(image.bytes, strings, *kept, [&](size_t i, std::string name) {
        const Kept &symbol = (*kept)[i];
        symbols.slimLto |= symbol.section == SHN_COMMON && name == "__gnu_lto_slim";
        if (symbol.section == SHN_UNDEF) {
          symbols.undefined[i].symbol = std::move(name);
          symbols.undefined[i].weak = symbol.weak();
        } else if (defined) {
          symbols.defined.push_back(std::move(name));
        }
      }))
    return error;
  llvm::erase_if(symbols.undefined,
                 [](const core::Import &import) { return import.symbol.empty(); });
  return llvm::Error::success();
}

} // namespace cudacc::binary
