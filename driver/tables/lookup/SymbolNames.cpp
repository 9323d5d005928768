// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/SymbolNames.h"
#include "driver/tables/lookup/TextTable.h"
#include "llvm/Support/Endian.h"

namespace cudacc::tables::rows {

using llvm::StringRef;

/// The last block whose first name is not greater than \p name.
static std::optional<size_t> findBlock(StringRef name) {
  auto blocks = symbolBlocks();
  size_t low = 0, high = blocks.size();
  while (low < high) {
    size_t middle = (low + high) / 2;
    const char *at = symbolNames().data() + blocks[middle];
    if (takeText(at) <= name)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? std::optional(low - 1) : std::nullopt;
}

static size_t sharedPrefix(StringRef a, StringRef b) {
  size_t length = std::min(a.size(), b.size()), same = 0;
  while (same < length && a[same] == b[same])
    ++same;
  return same;
}

std::optional<NameId> findName(StringRef name) {
  auto block = findBlock(name);
  if (!block)
    return std::nullopt;
  const char *at = symbolNames().data() + symbolBlocks()[*block];
  StringRef first = takeText(at);
  if (first == name)
    return NameId(*block * NamesPerBlock);
  // Names ascend, so the length of the shared prefix decides most comparisons: a name that shares
  // more with its predecessor than \p name does is still smaller, one that shares less is greater.
  size_t same = sharedPrefix(first, name);
  size_t end = std::min(symbolNameCount(), (*block + 1) * NamesPerBlock);
  for (size_t id = *block * NamesPerBlock + 1; id < end; ++id) {
    size_t shared = takeNumber(at);
    StringRef rest = takeText(at);
    if (shared > same)
      continue;
    StringRef wanted = name.drop_front(shared);
    if (shared < same || rest > wanted)
      return std::nullopt;
    if (rest == wanted)
      return NameId(id);
    same = shared + sharedPrefix(rest, wanted);
  }
  return std::nullopt;
}

std::string nameText(NameId name) {
  const char *at = symbolNames().data() + symbolBlocks()[name / NamesPerBlock];
  std::string text = takeText(at).str();
  for (unsigned left = name % NamesPerBlock; left; --left) {
    text.resize(takeNumber(at));
    text += takeText(at);
  }
  return text;
}

void forEachName(const SymbolLibraryRow &library,
                 llvm::function_ref<void(NameId name, uint16_t ranges)> each) {
  using llvm::support::endian::read16le;
  const char *names = symbolEntries().data() + library.firstEntry;
  for (size_t i = 0; i < library.nameCount; ++i)
    each(read16le(names + 2 * i), read16le(names + 2 * (size_t(library.nameCount) + i)));
}

std::optional<uint16_t> findRanges(const SymbolLibraryRow &library, NameId name) {
  using llvm::support::endian::read16le;
  const char *names = symbolEntries().data() + library.firstEntry;
  size_t low = 0, high = library.nameCount;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (read16le(names + 2 * middle) < name)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == library.nameCount || read16le(names + 2 * low) != name)
    return std::nullopt;
  return read16le(names + 2 * (size_t(library.nameCount) + low));
}

bool anyIn(uint16_t list, unsigned first, unsigned last) {
  const char *at = symbolLists().data() + list;
  size_t next = 0;
  for (size_t count = takeNumber(at); count; --count) {
    size_t begin = next + takeNumber(at), end = begin + takeNumber(at);
    if (begin > last)
      return false;
    if (end >= first)
      return true;
    next = end + 1;
  }
  return false;
}

} // namespace cudacc::tables::rows
