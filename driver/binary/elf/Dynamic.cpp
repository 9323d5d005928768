// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/elf/Dynamic.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::binary {

using namespace llvm::ELF;

/// A real file has some dozens of entries; bounds the memory that a hostile file can claim.
static constexpr uint64_t MaxDynamicEntries = 1 << 16, MaxDynamicNames = 16 << 20;

llvm::Expected<std::string> Dynamic::string(Bytes &bytes, uint64_t index, const char *what) const {
  if (index >= stringsSize)
    return bytes.broken(fmt::format("{} lies outside the string table", what), stringsOffset);
  return bytes.string(stringsOffset + index, stringsOffset + stringsSize, what);
}

namespace {
/// Entries whose value is a string, to be resolved once the string table is known.
struct NameOffsets {
  std::optional<uint64_t> soname, rpath, runpath;
  std::vector<uint64_t> needed;
};
} // namespace

/// Tags whose value is stored without interpretation.
static constexpr struct {
  int64_t tag;
  uint64_t Dynamic::*field;
} valueTags[] = {
    {DT_STRTAB, &Dynamic::strings},
    {DT_STRSZ, &Dynamic::stringsSize},
    {DT_SYMTAB, &Dynamic::symbols},
    {DT_HASH, &Dynamic::hash},
    {DT_GNU_HASH, &Dynamic::gnuHash},
    {DT_VERSYM, &Dynamic::versions},
    {DT_VERNEED, &Dynamic::needs},
    {DT_VERNEEDNUM, &Dynamic::needCount},
    {DT_VERDEF, &Dynamic::definitions},
    {DT_VERDEFNUM, &Dynamic::definitionCount},
    {DT_RELA, &Dynamic::relocations},
    {DT_RELASZ, &Dynamic::relocationsSize},
    {DT_JMPREL, &Dynamic::pltRelocations},
    {DT_PLTRELSZ, &Dynamic::pltRelocationsSize},
    {DT_FLAGS, &Dynamic::flags},
    {DT_FLAGS_1, &Dynamic::flags1},
    {DT_RELAENT, &Dynamic::relocationSize},
    {DT_RELACOUNT, &Dynamic::relativeCount},
    {DT_PLTREL, &Dynamic::pltRelocationsKind},
    {DT_RELR, &Dynamic::packedRelocations},
    {DT_RELRSZ, &Dynamic::packedRelocationsSize},
    {DT_RELRENT, &Dynamic::packedRelocationSize},
    {DT_INIT, &Dynamic::init},
    {DT_INIT_ARRAY, &Dynamic::initArray},
    {DT_INIT_ARRAYSZ, &Dynamic::initArraySize},
    {DT_FINI_ARRAY, &Dynamic::finiArray},
    {DT_FINI_ARRAYSZ, &Dynamic::finiArraySize},
};

static void take(const Elf64_Dyn &entry, Dynamic &dynamic, NameOffsets &names) {
  uint64_t value = entry.d_un.d_val;
  if (entry.d_tag > 0 && entry.d_tag < 64) {
    uint64_t tag = uint64_t(1) << entry.d_tag;
    if (entry.d_tag != DT_NEEDED)
      dynamic.repeated |= dynamic.tags & tag;
    dynamic.tags |= tag;
  }
  switch (entry.d_tag) {
  case DT_SONAME:
    names.soname = value;
    return;
  case DT_RPATH:
    names.rpath = value;
    return;
  case DT_RUNPATH:
    names.runpath = value;
    return;
  // Without the library that it filters, the loader loads neither.
  case DT_FILTER:
  case DT_NEEDED:
    names.needed.push_back(value);
    return;
  case DT_BIND_NOW:
    dynamic.bindNow = true;
    return;
  case DT_TEXTREL:
    dynamic.relocatesText = true;
    return;
  default:
    for (const auto &row : valueTags)
      if (row.tag == entry.d_tag)
        dynamic.*row.field = value;
  }
}

static std::vector<std::string> elements(llvm::StringRef path) {
  std::vector<std::string> result;
  if (path.empty())
    return result;
  for (llvm::StringRef element : llvm::split(path, ':'))
    result.push_back(element.str());
  return result;
}

static llvm::Error resolve(Bytes &bytes, const Dynamic &dynamic, const NameOffsets &names,
                           core::BinaryFacts &facts) {
  uint64_t total = 0;
  auto name = [&](uint64_t index, const char *what, auto put) -> llvm::Error {
    auto text = dynamic.string(bytes, index, what);
    if (!text)
      return text.takeError();
    total += text->size();
    if (total > MaxDynamicNames)
      return bytes.limit("names in the dynamic section of more than 16 MiB");
    put(std::move(*text));
    return llvm::Error::success();
  };
  for (uint64_t index : names.needed)
    if (auto error = name(index, "a NEEDED name",
                          [&](std::string text) { facts.needed.push_back(std::move(text)); }))
      return error;
  facts.hasRpath = names.rpath.has_value();
  facts.hasRunpath = names.runpath.has_value();
  if (names.soname)
    if (auto error = name(*names.soname, "the SONAME",
                          [&](std::string text) { facts.soname = std::move(text); }))
      return error;
  if (names.rpath)
    if (auto error = name(*names.rpath, "the RPATH",
                          [&](const std::string &text) { facts.rpath = elements(text); }))
      return error;
  if (names.runpath)
    return name(*names.runpath, "the RUNPATH",
                [&](const std::string &text) { facts.runpath = elements(text); });
  return llvm::Error::success();
}

/// Whether there are entries behind the last one, up to \p end.
static bool hasRest(Bytes &bytes, uint64_t offset, uint64_t end) {
  while (offset < end) {
    auto entry = bytes.get<Elf64_Dyn>(offset, "the dynamic section");
    if (!entry) {
      llvm::consumeError(entry.takeError());
      return false;
    }
    if (entry->d_tag != DT_NULL)
      return true;
    offset += sizeof(Elf64_Dyn);
  }
  return false;
}

llvm::Expected<Dynamic> readDynamic(const Image &image, core::BinaryFacts &facts) {
  Dynamic dynamic;
  const Elf64_Phdr *segment = image.segment(PT_DYNAMIC);
  // A file with only debug information keeps the program header with size 0.
  if (!segment || !segment->p_filesz)
    return dynamic;
  // The loader finds it by its address, and its end by DT_NULL.
  static constexpr char what[] = "the dynamic section";
  auto offset = image.offsetOf(segment->p_vaddr, sizeof(Elf64_Dyn), what);
  if (!offset)
    return offset.takeError();
  NameOffsets names;
  for (uint64_t i = 0;; ++i) {
    if (i == MaxDynamicEntries)
      return image.bytes.limit("more than 2^16 entries of the dynamic section");
    auto entry = image.bytes.get<Elf64_Dyn>(*offset + i * sizeof(Elf64_Dyn), what);
    if (!entry)
      return entry.takeError();
    if (entry->d_tag == DT_NULL) {
      dynamic.hasRest =
          hasRest(image.bytes, *offset + i * sizeof(Elf64_Dyn), *offset + segment->p_filesz);
      break;
    }
    take(*entry, dynamic, names);
  }
  if (dynamic.strings) {
    auto offset = image.offsetOf(dynamic.strings, dynamic.stringsSize, "the dynamic string table");
    if (!offset)
      return offset.takeError();
    dynamic.stringsOffset = *offset;
  } else {
    dynamic.stringsSize = 0;
  }
  if (llvm::Error error = resolve(image.bytes, dynamic, names, facts))
    return error;
  return dynamic;
}

llvm::Expected<Dynamic> openDynamic(Bytes &bytes, Image &image) {
  auto identity = identify(bytes);
  if (!identity)
    return identity.takeError();
  if (!identity->readable)
    return bytes.broken("it is not a library of x86-64 or aarch64", 0);
  auto opened = Image::open(bytes);
  if (!opened)
    return opened.takeError();
  image.header = opened->header;
  image.segments = std::move(opened->segments);
  image.sectionCount = opened->sectionCount;
  core::BinaryFacts facts;
  return readDynamic(image, facts);
}

} // namespace cudacc::binary
