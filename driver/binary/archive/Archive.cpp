// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/archive/Archive.h"
#include "driver/binary/device/Device.h"
#include "driver/binary/elf/ReadOptions.h"
#include "driver/binary/elf/Symbols.h"
#include "driver/binary/manifest/Notes.h"
#include "driver/core/BinaryFacts.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

namespace cudacc::binary {

namespace {
struct MemberHeader {
  char name[16], date[12], owner[6], group[6], mode[8], size[10], end[2];
};
static_assert(sizeof(MemberHeader) == 60);

class ArchiveReader {
public:
  ArchiveReader(core::ReadableFile &file, Bytes &bytes, llvm::StringRef path, bool thin,
                OpenMember openMember, VisitMember visit)
      : file(file), bytes(bytes), path(path), thin(thin), openMember(openMember), visit(visit) {}

  /// Returns the number of members.
  llvm::Expected<uint64_t> run();

private:
  struct Name {
    std::string text;
    /// In a thin archive built from another archive: offset of the member's header in that archive.
    uint64_t origin = 0;
  };
  core::ReadableFile &file;
  Bytes &bytes;
  llvm::StringRef path;
  bool thin;
  OpenMember openMember;
  VisitMember visit;
  /// Members of a thin archive that were already read; listing one again adds nothing.
  llvm::StringSet<> opened;
  /// The table of long names, in the file.
  uint64_t namesOffset = 0, namesSize = 0;

  /// Names of index members: the System V and BSD symbol tables, and the table of long names.
  static bool isIndex(llvm::StringRef name) {
    return name == "/" || name == "//" || name == "/SYM64/" || name.starts_with("__.SYMDEF");
  }
  llvm::Expected<Name> longName(llvm::StringRef digits, uint64_t at);
  /// The member's name. A BSD name stored before the data is subtracted from \p offset and \p size.
  llvm::Expected<Name> memberName(const MemberHeader &header, uint64_t &offset, uint64_t &size);
  llvm::Error member(const Name &name, uint64_t offset, uint64_t size);
  llvm::Error thinMember(const Name &name, uint64_t size);
};
} // namespace

/// Limit for the length of a member's name.
static constexpr uint64_t MaxName = 4096;
static constexpr size_t MagicSize = 8;

static bool isNumber(llvm::StringRef text, uint64_t &number) {
  return !text.rtrim(' ').getAsInteger(10, number);
}

llvm::Expected<ArchiveReader::Name> ArchiveReader::longName(llvm::StringRef digits, uint64_t at) {
  uint64_t index;
  Name result;
  auto [place, origin] = digits.split(':');
  if (!isNumber(place, index) || index >= namesSize ||
      (place.size() != digits.size() && !isNumber(origin, result.origin)))
    return bytes.broken("a member's name lies outside the table of names", at);
  auto text =
      bytes.bytes(namesOffset + index, std::min(namesSize - index, MaxName), "the table of names");
  if (!text)
    return text.takeError();
  llvm::StringRef name = llvm::StringRef(*text).take_until([](char c) { return c == '\n'; });
  name.consume_back("/");
  result.text = name.str();
  return result;
}

llvm::Expected<ArchiveReader::Name> ArchiveReader::memberName(const MemberHeader &header,
                                                              uint64_t &offset, uint64_t &size) {
  llvm::StringRef name = llvm::StringRef(header.name, sizeof(header.name)).rtrim(' ');
  if (name.consume_front("#1/")) {
    uint64_t length;
    if (!isNumber(name, length) || length > size || length > MaxName)
      return bytes.broken("a member's name is longer than the member", offset);
    auto text = bytes.bytes(offset, length, "a member's name");
    if (!text)
      return text.takeError();
    offset += length;
    size -= length;
    return Name{llvm::StringRef(*text).rtrim('\0').str()};
  }
  if (name.size() > 1 && name[0] == '/' && llvm::isDigit(name[1]))
    return longName(name.drop_front(), offset);
  if (!isIndex(name))
    name.consume_back("/");
  return Name{name.str()};
}

llvm::Error ArchiveReader::thinMember(const Name &name, uint64_t size) {
  if (!openMember || !opened.insert(fmt::format("{}:{}", name.text, name.origin)).second)
    return llvm::Error::success();
  auto file = openMember(name.text);
  if (!file)
    return file.takeError();
  Bytes whole(**file, path, 0, (*file)->size(), name.text);
  if (!name.origin)
    return visit(name.text, whole);
  // When an archive is added to a thin archive, GNU ar adds its members, not the archive itself.
  auto header = whole.get<MemberHeader>(name.origin, "a member's header");
  if (!header)
    return header.takeError();
  uint64_t stored, offset = name.origin + sizeof(MemberHeader);
  if (llvm::StringRef(header->end, 2) != "`\n" ||
      !isNumber(llvm::StringRef(header->size, sizeof(header->size)), stored) || stored != size ||
      !whole.holds(offset, size))
    return whole.broken("a member's header is damaged", name.origin);
  Bytes part(**file, path, offset, size, name.text);
  return visit(name.text, part);
}

llvm::Error ArchiveReader::member(const Name &name, uint64_t offset, uint64_t size) {
  if (thin)
    return thinMember(name, size);
  Bytes part(file, path, offset, size, name.text);
  return visit(name.text, part);
}

llvm::Expected<uint64_t> ArchiveReader::run() {
  uint64_t at = MagicSize, count = 0;
  while (at < bytes.size()) {
    auto header = bytes.get<MemberHeader>(at, "a member's header");
    if (!header)
      return header.takeError();
    uint64_t size, offset = at + sizeof(MemberHeader);
    if (llvm::StringRef(header->end, 2) != "`\n" ||
        !isNumber(llvm::StringRef(header->size, sizeof(header->size)), size))
      return bytes.broken("a member's header is damaged", at);
    llvm::StringRef raw = llvm::StringRef(header->name, sizeof(header->name)).rtrim(' ');
    // In a thin archive, only the index members have data.
    uint64_t stored = thin && !isIndex(raw) ? 0 : size;
    if (!bytes.holds(offset, stored))
      return bytes.broken("a member reaches beyond the end", at);
    at = llvm::alignTo(offset + stored, 2);
    if (raw == "//") {
      namesOffset = offset;
      namesSize = size;
    }
    auto name = memberName(*header, offset, stored);
    if (!name)
      return name.takeError();
    if (isIndex(name->text))
      continue;
    ++count;
    if (auto error = member(*name, offset, thin ? size : stored))
      return error;
  }
  return count;
}

llvm::Expected<uint64_t> eachMember(core::ReadableFile &file, Bytes &bytes, llvm::StringRef path,
                                    bool thin, OpenMember openMember, VisitMember visit) {
  return ArchiveReader(file, bytes, path, thin, openMember, visit).run();
}

namespace {
/// Merges the facts of an archive's members.
class Members {
public:
  Members(const ReadOptions &options, core::BinaryFacts &facts)
      : options(options), facts(facts),
        device({options.deep, options.verify, options.inflate, options.onContainer}, facts.device) {
  }

  /// \p bytes are those of one member.
  llvm::Error add(const std::string &name, Bytes &bytes);
  /// Makes the names that no member defines the archive's imports, in the order of first use.
  void finish();

private:
  /// How the members use one name.
  struct Name {
    uint32_t order = 0;
    bool needed = false, strong = false, defined = false;
  };
  const ReadOptions &options;
  core::BinaryFacts &facts;
  DeviceReader device;
  NoteBudget budget;
  DlopenNotes dlopens;
  llvm::StringMap<Name> names;
  uint64_t nameBytes = 0;

  llvm::Error addElf(const std::string &name, Bytes &bytes);
  llvm::Error addSymbols(const Image &image, Bytes &bytes);
  llvm::Expected<Name *> nameOf(llvm::StringRef text, Bytes &bytes);
};
} // namespace

static constexpr uint64_t MaxMemberNames = 1 << 20, MaxMemberNameBytes = 64 << 20;

llvm::Expected<Members::Name *> Members::nameOf(llvm::StringRef text, Bytes &bytes) {
  auto [place, isNew] = names.try_emplace(text);
  if (isNew) {
    nameBytes += text.size();
    if (names.size() > MaxMemberNames || nameBytes > MaxMemberNameBytes)
      return bytes.limit("more than 2^20 symbols, or names of more than 64 MiB");
    place->second.order = names.size();
  }
  return &place->second;
}

llvm::Error Members::addSymbols(const Image &image, Bytes &bytes) {
  ObjectSymbols symbols;
  if (auto error = readObjectSymbols(image, true, symbols))
    return error;
  facts.irMembers += symbols.slimLto;
  for (const core::Import &import : symbols.undefined) {
    auto name = nameOf(import.symbol, bytes);
    if (!name)
      return name.takeError();
    (*name)->needed = true;
    (*name)->strong |= !import.weak;
  }
  for (const std::string &symbol : symbols.defined) {
    auto name = nameOf(symbol, bytes);
    if (!name)
      return name.takeError();
    (*name)->defined = true;
  }
  return llvm::Error::success();
}

llvm::Error Members::addElf(const std::string &name, Bytes &bytes) {
  auto image = Image::open(bytes);
  if (!image)
    return image.takeError();
  core::Manifest manifest;
  if (auto error = readNotes(*image, budget, manifest, dlopens, nullptr))
    return error;
  if (!manifest.empty() || !manifest.problems.empty())
    facts.members.push_back({name, std::move(manifest)});
  if (options.imports && options.thorough && image->header.e_type == llvm::ELF::ET_REL)
    if (auto error = addSymbols(*image, bytes))
      return error;
  return options.device ? device.read(*image) : llvm::Error::success();
}

llvm::Error Members::add(const std::string &name, Bytes &bytes) {
  auto identity = identify(bytes);
  if (!identity)
    return identity.takeError();
  facts.irMembers += identity->bitcode;
  if (facts.notAudited.empty())
    facts.notAudited = std::move(identity->notAudited);
  if (!identity->readable)
    return llvm::Error::success();
  ++facts.elfMembers;
  if (!facts.machine)
    facts.machine = identity->machine;
  return addElf(name, bytes);
}

void Members::finish() {
  facts.dlopens = std::move(dlopens.sonames);
  std::vector<const llvm::StringMapEntry<Name> *> open;
  for (const auto &entry : names)
    if (entry.second.needed && !entry.second.defined)
      open.push_back(&entry);
  llvm::sort(open, [](const auto *a, const auto *b) { return a->second.order < b->second.order; });
  for (const auto *entry : open) {
    core::Import import;
    import.symbol = entry->first().str();
    import.weak = !entry->second.strong;
    facts.imports.push_back(std::move(import));
  }
}

llvm::Error readArchive(core::ReadableFile &file, Bytes &bytes, llvm::StringRef path, bool thin,
                        const ReadOptions &options, core::BinaryFacts &facts) {
  Members members(options, facts);
  auto count =
      eachMember(file, bytes, path, thin, options.openMember,
                 [&](const std::string &name, Bytes &member) { return members.add(name, member); });
  if (!count)
    return count.takeError();
  facts.memberCount = *count;
  members.finish();
  return llvm::Error::success();
}

} // namespace cudacc::binary
