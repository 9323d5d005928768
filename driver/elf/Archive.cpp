#include "driver/elf/Archive.h"
#include "driver/elf/Image.h"
#include "driver/elf/Notes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

namespace cudacc::elf {

namespace {
struct MemberHeader {
  char name[16], date[12], owner[6], group[6], mode[8], size[10], end[2];
};
static_assert(sizeof(MemberHeader) == 60);

class ArchiveReader {
public:
  ArchiveReader(core::ReadableFile &file, Bytes &bytes, llvm::StringRef path, bool thin,
                core::BinaryFacts &facts)
      : file(file), bytes(bytes), path(path), thin(thin), facts(facts) {}

  llvm::Error run();

private:
  core::ReadableFile &file;
  Bytes &bytes;
  llvm::StringRef path;
  bool thin;
  core::BinaryFacts &facts;
  NoteBudget budget;
  /// The table of long names.
  uint64_t namesOffset = 0, namesSize = 0;

  /// Names of index members: symbol tables of both traditions, and the table of long names.
  static bool isIndex(llvm::StringRef name) {
    return name == "/" || name == "//" || name == "/SYM64/" || name.starts_with("__.SYMDEF");
  }
  llvm::Expected<std::string> longName(llvm::StringRef digits, uint64_t at);
  /// The member's name; a BSD name in front of the data is taken off \p offset and \p size.
  llvm::Expected<std::string> memberName(const MemberHeader &header, uint64_t &offset,
                                         uint64_t &size);
  llvm::Error member(const std::string &name, uint64_t offset, uint64_t size);
};
} // namespace

/// Longest member name that is read.
static constexpr uint64_t MaxName = 4096;
static constexpr size_t MagicSize = 8;

llvm::Expected<std::string> ArchiveReader::longName(llvm::StringRef digits, uint64_t at) {
  uint64_t index;
  if (digits.getAsInteger(10, index) || index >= namesSize)
    return bytes.broken("a member's name lies outside the table of names", at);
  auto text =
      bytes.bytes(namesOffset + index, std::min(namesSize - index, MaxName), "the table of names");
  if (!text)
    return text.takeError();
  llvm::StringRef name = llvm::StringRef(*text).take_until([](char c) { return c == '\n'; });
  name.consume_back("/");
  return name.str();
}

llvm::Expected<std::string> ArchiveReader::memberName(const MemberHeader &header, uint64_t &offset,
                                                      uint64_t &size) {
  llvm::StringRef name = llvm::StringRef(header.name, sizeof(header.name)).rtrim(' ');
  if (name.consume_front("#1/")) {
    uint64_t length;
    if (name.getAsInteger(10, length) || length > size || length > MaxName)
      return bytes.broken("a member's name is longer than the member", offset);
    auto text = bytes.bytes(offset, length, "a member's name");
    if (!text)
      return text.takeError();
    offset += length;
    size -= length;
    return llvm::StringRef(*text).rtrim('\0').str();
  }
  if (name.size() > 1 && name[0] == '/' && llvm::isDigit(name[1]))
    return longName(name.drop_front(), offset);
  if (!isIndex(name))
    name.consume_back("/");
  return name.str();
}

llvm::Error ArchiveReader::member(const std::string &name, uint64_t offset, uint64_t size) {
  ++facts.memberCount;
  if (thin)
    return llvm::Error::success();
  Bytes part(file, path, offset, size, name);
  auto identity = identify(part);
  if (!identity)
    return identity.takeError();
  if (!identity->elf64Little)
    return llvm::Error::success();
  ++facts.elfMembers;
  if (!facts.machine)
    facts.machine = identity->machine;
  auto image = Image::open(part);
  if (!image)
    return image.takeError();
  core::Manifest manifest;
  if (auto error = readNotes(*image, budget, manifest, nullptr))
    return error;
  if (!manifest.empty() || !manifest.problems.empty())
    facts.members.push_back({name, std::move(manifest)});
  return llvm::Error::success();
}

llvm::Error ArchiveReader::run() {
  uint64_t at = MagicSize;
  while (at < bytes.size()) {
    auto header = bytes.get<MemberHeader>(at, "a member's header");
    if (!header)
      return header.takeError();
    uint64_t size, offset = at + sizeof(MemberHeader);
    if (llvm::StringRef(header->end, 2) != "`\n" ||
        llvm::StringRef(header->size, sizeof(header->size)).rtrim(' ').getAsInteger(10, size))
      return bytes.broken("a member's header is damaged", at);
    llvm::StringRef raw = llvm::StringRef(header->name, sizeof(header->name)).rtrim(' ');
    // In a thin archive only the index members have data.
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
    if (isIndex(*name))
      continue;
    if (auto error = member(*name, offset, stored))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error readArchive(core::ReadableFile &file, Bytes &bytes, llvm::StringRef path, bool thin,
                        core::BinaryFacts &facts) {
  return ArchiveReader(file, bytes, path, thin, facts).run();
}

} // namespace cudacc::elf
