// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/elf/Damage.h"
#include "driver/binary/elf/SymbolCount.h"
#include "driver/binary/elf/Versions.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/MathExtras.h"

namespace cudacc::binary {

using namespace llvm::ELF;

namespace {
/// Looks at one file; keeps the first contradiction, a certain one rather than another.
class Tables {
public:
  Tables(const Image &image, const Dynamic &dynamic) : image(image), dynamic(dynamic) {}

  std::optional<Damage> found;

  void checkDynamic();
  void checkVersions();
  void checkHash();
  void checkRelocations();

private:
  const Image &image;
  const Dynamic &dynamic;

  void note(Damage::Ends ends, std::string because, std::string words = "");
  void dies(std::string because) { note(Damage::Ends::Loading, std::move(because)); }
  void unclear(std::string because) { note(Damage::Ends::Unknown, std::move(because)); }
  struct Table {
    int64_t addressTag, sizeTag;
    uint64_t address, size, entry;
    const char *what;
  };
  /// Returns whether it is there and not empty. \p isFollowed: the loader reads it where half of it
  /// is named, too.
  bool table(Table of, bool isFollowed);
  bool isReadable(uint64_t address, uint64_t size) const;
  bool areHashed(const GnuHashHeader &header, uint64_t filter, uint64_t buckets);
  bool isWritten(uint64_t address) const;
  bool isInArray(const Elf64_Rela &relocation) const;
  /// One in so many relative relocations is looked at behind the first so many: one in each 16 KiB.
  static constexpr uint64_t Sampled = (16 << 10) / sizeof(Elf64_Rela);
  void checkTable(uint64_t offset, uint64_t count, bool isOfPlt);
  void checkRelocation(const Elf64_Rela &relocation, bool isOfPlt);

  /// The number of symbols that relocations can name.
  uint64_t symbols = 0;
};
} // namespace

void Tables::note(Damage::Ends ends, std::string because, std::string words) {
  if (found && (found->ends != Damage::Ends::Unknown || ends == Damage::Ends::Unknown))
    return;
  found.emplace();
  found->ends = ends;
  found->because = std::move(because);
  found->words = std::move(words);
}

/// What the loader reads lies in a segment that has a protection. There is nothing at 0 but the
/// file header.
bool Tables::isReadable(uint64_t address, uint64_t size) const {
  const Elf64_Phdr *home = image.segmentAt(address, size);
  return address && home && home->p_flags & (PF_R | PF_W | PF_X);
}

bool Tables::table(Table of, bool isFollowed) {
  if (!dynamic.has(of.addressTag) && !dynamic.has(of.sizeTag))
    return false;
  auto contradicts = [&](const char *how) {
    bool isElsewhere = !isReadable(of.address, 1) || !dynamic.has(of.sizeTag);
    note(isFollowed && isElsewhere ? Damage::Ends::Loading : Damage::Ends::Unknown,
         fmt::format("{} {}", of.what, how));
    return false;
  };
  if (!dynamic.has(of.sizeTag))
    return contradicts("has no size");
  if (!dynamic.has(of.addressTag))
    return contradicts("has no address");
  if (!of.size)
    return false;
  if (!isReadable(of.address, of.size))
    return contradicts("lies outside every segment");
  if (of.size % of.entry || of.address % 8)
    unclear(fmt::format("{} does not consist of its entries", of.what));
  return true;
}

/// The loader asserts some of it, and follows the rest.
void Tables::checkDynamic() {
  if (dynamic.hasRest)
    unclear("its dynamic section goes on behind its end");
  if (dynamic.repeated)
    unclear("its dynamic section says something twice");
  if (!dynamic.stringsSize || !dynamic.has(DT_STRTAB) || !dynamic.has(DT_SYMTAB))
    return dies("its dynamic section names no symbols or no strings");
  if (!isReadable(dynamic.symbols, sizeof(Elf64_Sym)) ||
      !isReadable(dynamic.strings, dynamic.stringsSize))
    dies("its symbols lie outside every segment");
  bool relocates = table({DT_RELA, DT_RELASZ, dynamic.relocations, dynamic.relocationsSize,
                          sizeof(Elf64_Rela), "its relocation table"},
                         true);
  if (relocates && dynamic.relocationSize != sizeof(Elf64_Rela))
    dies("its relocations have an unknown size");
  if (relocates && dynamic.relativeCount > dynamic.relocationsSize / sizeof(Elf64_Rela))
    unclear("it has more relative relocations than relocations");
  if (table({DT_JMPREL, DT_PLTRELSZ, dynamic.pltRelocations, dynamic.pltRelocationsSize,
             sizeof(Elf64_Rela), "its procedure linkage table"},
            true) &&
      dynamic.pltRelocationsKind != DT_RELA)
    dies("the relocations of its procedure linkage table are of an unknown kind");
  if (table({DT_RELR, DT_RELRSZ, dynamic.packedRelocations, dynamic.packedRelocationsSize,
             sizeof(Elf64_Relr), "its table of packed relocations"},
            true) &&
      dynamic.packedRelocationSize != sizeof(Elf64_Relr))
    dies("its packed relocations have an unknown size");
  table({DT_INIT_ARRAY, DT_INIT_ARRAYSZ, dynamic.initArray, dynamic.initArraySize, 8,
         "its table of constructors"},
        false);
  table({DT_FINI_ARRAY, DT_FINI_ARRAYSZ, dynamic.finiArray, dynamic.finiArraySize, 8,
         "its table of destructors"},
        false);
  const Elf64_Phdr *code = dynamic.init ? image.segmentAt(dynamic.init, 1) : nullptr;
  if (dynamic.init && (!code || !(code->p_flags & PF_X)))
    dies("its first function lies outside every segment with code");
}

/// What verneed and verdef say, and that each symbol has a version of theirs.
void Tables::checkVersions() {
  if (!dynamic.needs != !dynamic.needCount || !dynamic.definitions != !dynamic.definitionCount)
    unclear("its dynamic section names half a table of versions");
  if (!dynamic.versions && dynamic.needs)
    unclear("its dynamic section names versions and none of its symbols");
  if (!dynamic.versions)
    return;
  auto names = readVersionNames(image, dynamic);
  auto count = names ? symbolCount(image, dynamic) : names.takeError();
  auto offset =
      count ? image.offsetOf(dynamic.versions, *count * sizeof(uint16_t), "") : count.takeError();
  // What cannot be read is an error when it is.
  if (!offset)
    return llvm::consumeError(offset.takeError());
  if (names->damage)
    note(names->damage->ends, names->damage->because, names->damage->words);
  llvm::consumeError(
      image.bytes.each<uint16_t>(*offset, *count, "", [&](uint64_t, const uint16_t &entry) {
        if ((entry & ~VERSYM_HIDDEN) > VER_NDX_GLOBAL && !names->at(entry))
          unclear("a symbol has a version that the file does not name");
        return llvm::Error::success();
      }));
}

/// The loader finds symbols by their hashes alone. The first symbol that has one shows whether the
/// table was made for these symbols.
void Tables::checkHash() {
  if (!dynamic.gnuHash) {
    if (!dynamic.hash)
      unclear("its dynamic section names no table of hashes");
    return;
  }
  static constexpr char what[] = "the GNU hash table";
  Bytes &bytes = image.bytes;
  auto offset = image.offsetOf(dynamic.gnuHash, sizeof(GnuHashHeader), what);
  auto header = offset ? bytes.get<GnuHashHeader>(*offset, what) : offset.takeError();
  if (!header)
    return llvm::consumeError(header.takeError());
  if (!header->buckets || !llvm::isPowerOf2_32(header->filterWords))
    return dies("its table of hashes is damaged");
  uint64_t filter = *offset + sizeof(GnuHashHeader);
  uint64_t buckets = filter + uint64_t(header->filterWords) * 8;
  uint32_t least = 0;
  if (llvm::Error error = bytes.each<uint32_t>(buckets, header->buckets, what,
                                               [&](uint64_t, const uint32_t &first) {
                                                 if (first && (!least || first < least))
                                                   least = first;
                                                 return llvm::Error::success();
                                               }))
    return llvm::consumeError(std::move(error));
  if (least && (least != header->firstSymbol || !areHashed(*header, filter, buckets)))
    unclear("its table of hashes is not that of its symbols");
}

/// Whether the first symbols of the table are found by their names.
bool Tables::areHashed(const GnuHashHeader &header, uint64_t filter, uint64_t buckets) {
  static constexpr char what[] = "the GNU hash table";
  static constexpr uint32_t most = 64;
  Bytes &bytes = image.bytes;
  auto read = [&](auto &value, uint64_t offset) {
    auto got = bytes.get<std::remove_reference_t<decltype(value)>>(offset, what);
    if (!got)
      return llvm::consumeError(got.takeError()), false;
    value = *got;
    return true;
  };
  auto symbols = llvm::expectedToOptional(image.offsetOf(dynamic.symbols, 0, what));
  uint32_t chain = 0;
  auto count = llvm::expectedToOptional(symbolCount(image, dynamic));
  uint64_t hashed = count.value_or(0) - std::min<uint64_t>(count.value_or(0), header.firstSymbol);
  for (uint32_t i = 0; symbols && i != std::min<uint64_t>(hashed, most); ++i) {
    uint64_t index = uint64_t(header.firstSymbol) + i;
    Elf64_Sym symbol;
    if (!read(symbol, *symbols + index * sizeof(symbol)))
      return false;
    auto name = llvm::expectedToOptional(dynamic.string(bytes, symbol.st_name, what));
    if (!name)
      return false;
    uint32_t hash = llvm::object::hashGnu(*name), bucket = 0;
    uint64_t bits = 0;
    bool isFirst = !i || chain & 1;
    if (!read(bits, filter + uint64_t(hash / 64 & (header.filterWords - 1)) * 8) ||
        !read(bucket, buckets + uint64_t(hash % header.buckets) * 4) ||
        !read(chain, buckets + (uint64_t(header.buckets) + i) * 4))
      return false;
    uint64_t shifted = header.shift < 32 ? hash >> header.shift : 0;
    bool isHashed = bits >> (hash % 64) & bits >> (shifted % 64) & 1 && (chain | 1) == (hash | 1) &&
                    (isFirst ? bucket == index : bucket && bucket < index);
    if (!isHashed)
      return false;
  }
  return symbols.has_value();
}

namespace {
/// What relocations of a machine mean to glibc 2.36.
struct RelocationKinds {
  uint32_t relative, irelative;
  llvm::ArrayRef<uint32_t> ofPlt, ofTls, others;
  /// Those that only code which is not position-independent has.
  llvm::ArrayRef<uint32_t> ofText;
};
} // namespace

static const RelocationKinds &kindsOf(uint16_t machine) {
  static constexpr uint32_t pltX86[] = {R_X86_64_JUMP_SLOT, R_X86_64_IRELATIVE, R_X86_64_TLSDESC},
                            tlsX86[] = {R_X86_64_DTPMOD64, R_X86_64_DTPOFF64, R_X86_64_TPOFF64,
                                        R_X86_64_TLSDESC},
                            othersX86[] = {R_X86_64_NONE,     R_X86_64_64,       R_X86_64_COPY,
                                           R_X86_64_GLOB_DAT, R_X86_64_RELATIVE, R_X86_64_SIZE32,
                                           R_X86_64_SIZE64},
                            textX86[] = {R_X86_64_PC32, R_X86_64_32, R_X86_64_PC64},
                            pltArm[] = {R_AARCH64_JUMP_SLOT, R_AARCH64_IRELATIVE,
                                        R_AARCH64_TLSDESC},
                            tlsArm[] = {R_AARCH64_TLS_DTPMOD64, R_AARCH64_TLS_DTPREL64,
                                        R_AARCH64_TLS_TPREL64, R_AARCH64_TLSDESC},
                            othersArm[] = {R_AARCH64_NONE, R_AARCH64_ABS64, R_AARCH64_COPY,
                                           R_AARCH64_GLOB_DAT, R_AARCH64_RELATIVE};
  static constexpr RelocationKinds x86{
      R_X86_64_RELATIVE, R_X86_64_IRELATIVE, pltX86, tlsX86, othersX86, textX86},
      arm{R_AARCH64_RELATIVE, R_AARCH64_IRELATIVE, pltArm, tlsArm, othersArm, {}};
  return machine == EM_AARCH64 ? arm : x86;
}

/// Where the loader writes. Text that is relocated is made writable before.
bool Tables::isWritten(uint64_t address) const {
  for (const Elf64_Phdr &segment : image.segments)
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
        address - segment.p_vaddr < segment.p_memsz)
      return segment.p_flags & PF_W || dynamic.relocatesText || dynamic.flags & DF_TEXTREL;
  return false;
}

void Tables::checkRelocation(const Elf64_Rela &relocation, bool isOfPlt) {
  const RelocationKinds &kinds = kindsOf(image.header.e_machine);
  uint32_t kind = relocation.getType();
  bool isOfTls = llvm::is_contained(kinds.ofTls, kind);
  bool isOfText = llvm::is_contained(kinds.ofText, kind);
  bool isSlot = llvm::is_contained(kinds.ofPlt, kind);
  if (!isSlot && !isOfTls && !isOfText && !llvm::is_contained(kinds.others, kind))
    return note(Damage::Ends::Refused, "a relocation is of an unknown kind",
                fmt::format("unexpected reloc type 0x{:02x}", kind));
  bool relocatesText = dynamic.relocatesText || dynamic.flags & DF_TEXTREL;
  if ((isOfText && !relocatesText) || (isOfPlt && !isSlot))
    return unclear(fmt::format("a relocation is of the kind {}", kind));
  if (kind && !isWritten(relocation.r_offset))
    return unclear("a relocation lies outside every segment that can be written");
  if (relocation.getSymbol() >= symbols)
    return unclear("a relocation names a symbol that is not there");
  if (isOfTls && !image.segment(PT_TLS) && !relocation.getSymbol())
    return dies("it has no segment of thread-local storage");
  bool isFunction = kind == kinds.irelative || (kind == kinds.relative && isInArray(relocation));
  const Elf64_Phdr *home = isFunction ? image.segmentAt(uint64_t(relocation.r_addend), 1) : nullptr;
  if (isFunction && (!home || !(home->p_flags & PF_X)))
    unclear("a function that loading calls lies outside every segment with code");
}

bool Tables::isInArray(const Elf64_Rela &relocation) const {
  return relocation.r_offset - dynamic.initArray < dynamic.initArraySize ||
         relocation.r_offset - dynamic.finiArray < dynamic.finiArraySize;
}

void Tables::checkRelocations() {
  auto count = symbolCount(image, dynamic);
  if (!count)
    return llvm::consumeError(count.takeError());
  // With an empty table of hashes the number is not known.
  symbols = std::max<uint64_t>(*count, 1);
  bool isCounted = dynamic.gnuHash || dynamic.hash;
  if (!isCounted || image.sectionCount == 0)
    symbols = UINT32_MAX;
  const std::pair<uint64_t, uint64_t> tables[] = {
      {dynamic.relocations, dynamic.relocationsSize},
      {dynamic.pltRelocations, dynamic.pltRelocationsSize}};
  for (auto [address, size] : tables)
    if (auto offset = llvm::expectedToOptional(image.offsetOf(address, size, ""));
        offset && address)
      checkTable(*offset, size / sizeof(Elf64_Rela), address == dynamic.pltRelocations);
}

void Tables::checkTable(uint64_t offset, uint64_t count, bool isOfPlt) {
  uint64_t relatives = isOfPlt ? 0 : std::min(dynamic.relativeCount, count);
  auto look = [&](uint64_t index, const Elf64_Rela &relocation) {
    if (index < relatives && relocation.getType() != kindsOf(image.header.e_machine).relative)
      dies("it has fewer relative relocations than it counts");
    checkRelocation(relocation, isOfPlt);
  };
  auto lookAtEach = [&](uint64_t begin, uint64_t end) {
    llvm::consumeError(image.bytes.each<Elf64_Rela>(
        offset + begin * sizeof(Elf64_Rela), end - begin, "", [&](uint64_t index, const auto &one) {
          look(begin + index, one);
          return llvm::Error::success();
        }));
  };
  // The loader takes relative ones as they are. Where a file has bytes too many or too few, or was
  // never written, all relocations behind or a piece of them are others.
  uint64_t first = std::min(relatives, Sampled);
  lookAtEach(0, first);
  for (uint64_t index = first; index < relatives; index += Sampled) {
    Elf64_Rela one;
    uint64_t at = offset + index * sizeof(one);
    if (auto error = image.bytes.readApart(at, {reinterpret_cast<char *>(&one), sizeof(one)}, ""))
      return llvm::consumeError(std::move(error));
    look(index, one);
  }
  lookAtEach(relatives, count);
}

std::optional<Damage> damageOfTables(const Image &image, const Dynamic &dynamic, bool relocations) {
  // A program without an interpreter relocates itself.
  bool isLoaded =
      image.segment(PT_INTERP) || (image.header.e_type == ET_DYN && !(dynamic.flags1 & DF_1_PIE));
  const Elf64_Phdr *section = image.segment(PT_DYNAMIC);
  if (!isLoaded || !section || !section->p_filesz)
    return std::nullopt;
  Tables tables(image, dynamic);
  tables.checkDynamic();
  if (!tables.found)
    tables.checkVersions();
  if (!tables.found)
    tables.checkHash();
  if (relocations && !tables.found)
    tables.checkRelocations();
  return std::move(tables.found);
}

} // namespace cudacc::binary
