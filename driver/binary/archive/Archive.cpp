// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/archive/Archive.h"
#include "driver/binary/archive/Members.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringExtras.h"
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
