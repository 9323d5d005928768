// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/Options.h"
#include <algorithm>
#include <array>

using namespace cudacc::cli;

namespace {

// Words begin with `-` or `--`; the next character selects the slot.
constexpr size_t slotCount = 256;
constexpr size_t slot(std::string_view word) {
  if (word.size() > 2 && word[1] == '-')
    return 128 + (word[2] & 127);
  return word.size() > 1 ? word[1] & 127 : 0;
}

constexpr bool isOption(Shape shape) {
  return shape != Shape::Group && shape != Shape::Input && shape != Shape::Unknown;
}

constexpr uint8_t separateWords(Shape shape, unsigned param) {
  switch (shape) {
  case Shape::Separate:
  case Shape::JoinedOrSeparate:
  case Shape::JoinedAndSeparate:
    return 1;
  case Shape::MultiArg:
    return uint8_t(param);
  default:
    return 0;
  }
}

constexpr bool slotLess(std::string_view a, std::string_view b) {
  return slot(a) != slot(b) ? slot(a) < slot(b) : a < b;
}

template <size_t Raw> consteval size_t countOptions(const OptionRow (&raw)[Raw]) {
  return size_t(std::count_if(raw, raw + Raw, [](auto &row) { return isOption(row.shape); }));
}

template <size_t N> struct Rows {
  std::array<OptionRow, N> rows;
  std::array<uint16_t, slotCount + 1> slots{};

  template <size_t Raw> consteval explicit Rows(const OptionRow (&raw)[Raw]) {
    std::copy_if(raw, raw + Raw, rows.begin(), [](auto &row) { return isOption(row.shape); });
    std::sort(rows.begin(), rows.end(),
              [](const OptionRow &a, const OptionRow &b) { return slotLess(a.word, b.word); });
    for (size_t i = 0; i != N; ++i) {
      ++slots[slot(rows[i].word) + 1];
      int candidate = int(i) - 1;
      while (candidate >= 0 && !rows[i].word.starts_with(rows[size_t(candidate)].word))
        candidate = rows[size_t(candidate)].prefix;
      rows[i].prefix = int16_t(candidate);
    }
    for (size_t i = 0; i != slotCount; ++i)
      slots[i + 1] = uint16_t(slots[i + 1] + slots[i]);
  }
  consteval bool unique() const {
    return std::adjacent_find(rows.begin(), rows.end(),
                              [](auto &a, auto &b) { return a.word == b.word; }) == rows.end();
  }
};

#define OPTION(PREFIX, NAME, ID, KIND, GROUP, ALIAS, ALIASARGS, FLAGS, VISIBILITY, PARAM, ...)     \
  {NAME, Shape::KIND, Action::GROUP, separateWords(Shape::KIND, PARAM)},
constexpr OptionRow rawNvcc[] = {
#include "driver/cli/NVCC.inc"
};
constexpr OptionRow rawGcc[] = {
#include "driver/cli/GCC.inc"
};
constexpr OptionRow rawClang[] = {
#include "driver/cli/CLANG.inc"
};
constexpr OptionRow rawLinker[] = {
#include "driver/cli/LINKER.inc"
};
#undef OPTION

constexpr Rows<countOptions(rawNvcc)> nvccRows(rawNvcc);
constexpr Rows<countOptions(rawGcc)> gccRows(rawGcc);
constexpr Rows<countOptions(rawClang)> clangRows(rawClang);
constexpr Rows<countOptions(rawLinker)> linkerRows(rawLinker);
static_assert(nvccRows.unique() && gccRows.unique() && clangRows.unique() && linkerRows.unique(),
              "a spelling has two rows");

template <size_t N> constexpr OptionTable view(const Rows<N> &rows) {
  return {llvm::ArrayRef<OptionRow>(rows.rows.data(), N), rows.slots.data()};
}
constexpr OptionTable tables[] = {view(nvccRows), view(gccRows), view(clangRows), view(linkerRows)};

} // namespace

const OptionTable &cudacc::cli::table(TableKind kind) { return tables[size_t(kind)]; }

Match cudacc::cli::match(const OptionTable &table, llvm::StringRef text) {
  std::string_view word = text;
  const OptionRow *rows = table.rows.data();
  size_t first = table.slots[slot(word)], end = table.slots[slot(word) + 1];
  const OptionRow *above =
      std::upper_bound(rows + first, rows + end, word,
                       [](std::string_view key, const OptionRow &row) { return key < row.word; });
  // Every row that is a prefix of the word is the row just below it or a prefix of that row.
  int index = above == rows + first ? -1 : int(above - rows) - 1;
  for (; index >= 0; index = rows[index].prefix) {
    const OptionRow &row = rows[index];
    if (!word.starts_with(row.word))
      continue;
    llvm::StringRef joined = text.drop_front(row.word.size());
    bool takesJoined = row.shape == Shape::Joined || row.shape == Shape::JoinedOrSeparate ||
                       row.shape == Shape::JoinedAndSeparate;
    if (!joined.empty() && !takesJoined)
      continue;
    bool satisfied = row.shape == Shape::JoinedOrSeparate && !joined.empty();
    return {&row, joined, satisfied ? 0u : row.separate};
  }
  return {};
}
