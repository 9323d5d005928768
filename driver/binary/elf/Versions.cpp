// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/elf/Versions.h"
#include "driver/versions/Format.h"
#include "llvm/Object/ELF.h"

namespace cudacc::binary {

using namespace llvm::ELF;

/// Version indices have 15 bits.
static constexpr uint16_t IndexMask = 0x7fff;
static constexpr uint64_t MaxVersions = 1 << 15, MaxVersionNames = 16 << 20;

namespace {
struct Need {
  uint16_t version, count;
  uint32_t file, first, next;
};
struct NeedVersion {
  uint32_t hash;
  uint16_t flags, index;
  uint32_t name, next;
};
struct Definition {
  uint16_t version, flags, index, count;
  uint32_t hash, first, next;
};
struct DefinitionName {
  uint32_t name, next;
};

class VersionReader {
public:
  VersionReader(const Image &image, const Dynamic &dynamic) : image(image), dynamic(dynamic) {}

  llvm::Error needs();
  llvm::Error definitions();
  VersionNames names;

private:
  const Image &image;
  const Dynamic &dynamic;
  /// Remaining limits for entries and for bytes of names.
  uint64_t entries = 2 * MaxVersions, bytes = MaxVersionNames;

  static constexpr char needTable[] = "the table of needed versions",
                        definitionTable[] = "the table of defined versions";

  /// Visits the entries of a table, each of which has the distance to the next.
  template <typename Entry, typename Visit>
  llvm::Error chain(uint64_t offset, uint64_t count, const char *what, Visit visit);
  llvm::Error need(uint64_t offset, const Need &need);
  llvm::Error definition(uint64_t offset, const Definition &entry);
  llvm::Expected<std::string> name(uint64_t index, const char *what);
  llvm::Error spend(uint64_t offset) {
    return entries-- ? llvm::Error::success() : image.bytes.broken("too many versions", offset);
  }
  VersionNames::Version &slot(uint16_t index);
  void note(Damage::Ends ends, std::string because, std::string words = "");
  void checkName(llvm::StringRef name, uint32_t hash);
};
} // namespace

const VersionNames::Version *VersionNames::at(uint16_t entry) const {
  size_t index = entry & IndexMask;
  return index < byIndex.size() && !byIndex[index].name.empty() ? &byIndex[index] : nullptr;
}

std::vector<std::string> VersionNames::defined() const {
  std::vector<std::string> result;
  for (const Version &version : byIndex)
    if (version.defined)
      result.push_back(version.name);
  return result;
}

VersionNames::Version &VersionReader::slot(uint16_t index) {
  index &= IndexMask;
  if (names.byIndex.size() <= index)
    names.byIndex.resize(index + 1);
  VersionNames::Version &version = names.byIndex[index];
  if (index <= VER_NDX_GLOBAL || !version.name.empty())
    note(Damage::Ends::Unknown, fmt::format("two of its versions have the index {}", index));
  return version;
}

void VersionReader::note(Damage::Ends ends, std::string because, std::string words) {
  if (names.damage)
    return;
  names.damage.emplace();
  names.damage->ends = ends;
  names.damage->because = std::move(because);
  names.damage->words = std::move(words);
}

/// The loader compares hashes before names.
void VersionReader::checkName(llvm::StringRef name, uint32_t hash) {
  if (hash != llvm::object::hashSysV(name))
    note(Damage::Ends::Unknown, fmt::format("the hash of its version {} is wrong", name));
}

llvm::Expected<std::string> VersionReader::name(uint64_t index, const char *what) {
  auto text = dynamic.string(image.bytes, index, what);
  if (!text)
    return text.takeError();
  if (text->size() > bytes)
    return image.bytes.limit("version names of more than 16 MiB");
  bytes -= text->size();
  return text;
}

template <typename Entry, typename Visit>
llvm::Error VersionReader::chain(uint64_t offset, uint64_t count, const char *what, Visit visit) {
  for (uint64_t i = 0; i != count; ++i) {
    if (auto error = spend(offset))
      return error;
    auto entry = image.bytes.get<Entry>(offset, what);
    if (!entry)
      return entry.takeError();
    if (auto error = visit(offset, *entry))
      return error;
    // The loader does not count: the last entry says that it is the last.
    if (bool isLast = i + 1 == count; isLast != !entry->next)
      note(Damage::Ends::Unknown, fmt::format("{} has another number of entries", what));
    if (!entry->next)
      break;
    offset += entry->next;
  }
  return llvm::Error::success();
}

llvm::Error VersionReader::need(uint64_t offset, const Need &need) {
  auto file = name(need.file, "the file of a needed version");
  if (!file)
    return file.takeError();
  names.files.push_back(std::move(*file));
  // The loader looks at the first.
  if (need.version != VER_NEED_CURRENT)
    note(names.files.size() == 1 ? Damage::Ends::Refused : Damage::Ends::Unknown,
         "the version of its version needs is unknown",
         fmt::format("unsupported version {} of Verneed record", need.version));
  return chain<NeedVersion>(
      offset + need.first, need.count, needTable,
      [&](uint64_t, const NeedVersion &aux) -> llvm::Error {
        auto node = name(aux.name, "the name of a needed version");
        if (!node)
          return node.takeError();
        checkName(*node, aux.hash);
        slot(aux.index) = {std::move(*node), uint32_t(names.files.size() - 1), false};
        names.asked.push_back({uint16_t(aux.index & IndexMask), bool(aux.flags & VER_FLG_WEAK)});
        return llvm::Error::success();
      });
}

llvm::Error VersionReader::needs() {
  if (!dynamic.needs || !dynamic.needCount)
    return llvm::Error::success();
  auto begin = image.offsetOf(dynamic.needs, sizeof(Need), needTable);
  if (!begin)
    return begin.takeError();
  return chain<Need>(*begin, dynamic.needCount, needTable,
                     [&](uint64_t offset, const Need &entry) { return need(offset, entry); });
}

llvm::Error VersionReader::definition(uint64_t offset, const Definition &entry) {
  // The base version is the file itself, not a node that a symbol can have (VER_FLG_BASE).
  if (entry.flags & VER_FLG_BASE || !entry.count)
    return llvm::Error::success();
  auto first = image.bytes.get<DefinitionName>(offset + entry.first, definitionTable);
  if (!first)
    return first.takeError();
  auto node = name(first->name, "the name of a defined version");
  if (!node)
    return node.takeError();
  checkName(*node, entry.hash);
  if (entry.version != VER_DEF_CURRENT)
    note(Damage::Ends::Unknown, "the version of its version definitions is unknown");
  slot(entry.index) = {std::move(*node), 0, true};
  return llvm::Error::success();
}

llvm::Error VersionReader::definitions() {
  if (!dynamic.definitions || !dynamic.definitionCount)
    return llvm::Error::success();
  auto begin = image.offsetOf(dynamic.definitions, sizeof(Definition), definitionTable);
  if (!begin)
    return begin.takeError();
  return chain<Definition>(
      *begin, dynamic.definitionCount, definitionTable,
      [&](uint64_t offset, const Definition &entry) { return definition(offset, entry); });
}

llvm::Expected<VersionNames> readVersionNames(const Image &image, const Dynamic &dynamic) {
  VersionReader reader(image, dynamic);
  if (auto error = reader.needs())
    return error;
  if (auto error = reader.definitions())
    return error;
  return std::move(reader.names);
}

} // namespace cudacc::binary
