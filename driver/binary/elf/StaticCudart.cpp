// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/elf/StaticCudart.h"
#include "driver/binary/elf/SymbolCount.h"
#include "driver/binary/elf/Symbols.h"
#include "driver/tables/lookup/Symbols.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::binary {

using namespace llvm::ELF;

static constexpr llvm::StringLiteral prefix = "libcudart_static_";
/// All functions of the interface; what precedes a name is the end of another one.
static constexpr llvm::StringLiteral interface = llvm::StringLiteral::withInnerNUL("\0cuda");
/// Occurrences that are looked at. A cudart has about 900 and 450.
static constexpr size_t MaxPlaces = 1 << 16;

/// File offsets of \p wanted in the string table.
static llvm::Expected<std::vector<uint64_t>> placesOf(Bytes &bytes, StringTable strings,
                                                      llvm::StringRef wanted) {
  std::vector<uint64_t> places;
  std::string piece;
  const uint64_t size = 256 << 10, overlap = wanted.size() - 1;
  for (uint64_t at = 0; at < strings.size; at += size) {
    piece.resize(std::min(size + overlap, strings.size - at));
    if (auto error =
            bytes.readApart(strings.offset + at, {piece.data(), piece.size()}, "a symbol's name"))
      return error;
    for (size_t hit = 0; (hit = piece.find(wanted.data(), hit, wanted.size())) != piece.npos &&
                         places.size() != MaxPlaces;
         ++hit)
      places.push_back(strings.offset + at + hit);
  }
  return places;
}

/// Those of \p places that are a name of cudart's own functions, as offsets into the string table.
static llvm::Expected<llvm::DenseSet<uint64_t>> namesAt(Bytes &bytes, StringTable strings,
                                                        llvm::ArrayRef<uint64_t> places) {
  static constexpr size_t length = prefix.size() + 40;
  llvm::DenseSet<uint64_t> names;
  for (uint64_t place : places) {
    if (place < strings.offset || place - strings.offset >= strings.size ||
        length >= strings.size - (place - strings.offset))
      continue;
    char name[length + 1];
    if (auto error = bytes.read(place, name, "a symbol's name"))
      return error;
    llvm::StringRef digits = llvm::StringRef(name, length).drop_front(prefix.size());
    if (!name[length] && llvm::all_of(digits, llvm::isHexDigit))
      names.insert(place - strings.offset);
  }
  return names;
}

/// The names of the interface in the string table, by offset.
static llvm::Expected<llvm::DenseMap<uint64_t, std::string>> interfaceNames(Bytes &bytes,
                                                                            StringTable strings) {
  auto places = placesOf(bytes, strings, interface);
  if (!places)
    return places.takeError();
  static constexpr size_t longest = 128;
  llvm::DenseMap<uint64_t, std::string> names;
  for (uint64_t place : *places) {
    char text[longest];
    uint64_t offset = place + 1 - strings.offset;
    size_t size = std::min<uint64_t>(longest, strings.size - offset);
    if (auto error = bytes.read(place + 1, {text, size}, "a symbol's name"))
      return error;
    llvm::StringRef name = llvm::StringRef(text, size).split('\0').first;
    if (name.size() != size)
      names.try_emplace(offset, name.str());
  }
  return names;
}

llvm::Error readStaticCudart(const Image &image, std::optional<llvm::ArrayRef<uint64_t>> places,
                             core::BinaryFacts &facts) {
  StringTable strings;
  auto table = symbolTable(image, strings);
  if (!table)
    return table.takeError();
  // Local symbols come first; sh_info is their number.
  uint64_t count = std::min<uint64_t>(table->sh_info, table->sh_size / sizeof(Elf64_Sym));
  // The table comes after all loaded segments, where a file may be cut off without harm.
  if (!count || !image.bytes.holds(table->sh_offset, count * sizeof(Elf64_Sym)))
    return llvm::Error::success();
  if (count > MaxSymbols)
    return image.bytes.limit("more than 2^24 symbols");
  std::vector<uint64_t> found;
  if (!places) {
    auto searched = placesOf(image.bytes, strings, prefix);
    if (!searched)
      return searched.takeError();
    found = std::move(*searched);
    places = found;
  }
  auto own = namesAt(image.bytes, strings, *places);
  if (!own)
    return own.takeError();
  if (own->empty())
    return llvm::Error::success();
  auto names = interfaceNames(image.bytes, strings);
  if (!names)
    return names.takeError();
  std::vector<std::string> functions;
  auto visit = [&](uint64_t, const Elf64_Sym &symbol) {
    if (symbol.getType() != STT_FUNC)
      return llvm::Error::success();
    facts.staticCudart |= own->contains(symbol.st_name);
    if (auto name = names->find(symbol.st_name); name != names->end()) {
      functions.push_back(std::move(name->second));
      names->erase(name);
    }
    return llvm::Error::success();
  };
  if (auto error = image.bytes.each<Elf64_Sym>(table->sh_offset, count, "the symbol table", visit))
    return error;
  if (facts.staticCudart)
    facts.cudartRelease = tables::firstReleaseWith("cudart", functions);
  return llvm::Error::success();
}

} // namespace cudacc::binary
