// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <concepts>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

/// Tables that are kept as text: a list of rows, whose fields may be lists, and these lists of
/// further rows. Each item and each field has its length in front, as a LEB128 number. A struct has
/// `columns`: its members in the order of the fields, by which the generator writes it and the
/// look-ups read it.
namespace cudacc::tables::rows {

/// By the name that the generator gives to the table.
llvm::StringRef tableText(llvm::StringRef name);

template <typename T>
concept IsText = std::same_as<T, llvm::StringRef> || std::same_as<T, std::string>;
template <typename T>
concept IsNumber = std::integral<T> || std::is_enum_v<T>;
/// A version or an architecture.
template <typename T>
concept IsParsed = requires(T value, llvm::StringRef text) { *T::parse(text) = value; };
template <typename T>
concept IsList = !IsText<T> && requires(T value) { value.emplace_back(); };
template <typename T>
concept IsRow = requires { T::columns; };

inline size_t takeNumber(const char *&at) {
  size_t number = 0;
  for (unsigned shift = 0;; shift += 7) {
    unsigned char byte = static_cast<unsigned char>(*at++);
    number |= size_t(byte & 0x7f) << shift;
    if (byte < 0x80)
      return number;
  }
}
inline llvm::StringRef takeText(const char *&at) {
  size_t length = takeNumber(at);
  llvm::StringRef text(at, length);
  at += length;
  return text;
}

void take(llvm::StringRef text, IsText auto &to) { to = text; }
void take(llvm::StringRef text, IsNumber auto &to) {
  uint64_t number = 0;
  text.getAsInteger(10, number);
  to = std::remove_reference_t<decltype(to)>(number);
}
template <IsParsed T> void take(llvm::StringRef text, T &to) { to = T::parse(text).value_or(T()); }
template <typename... T> void take(llvm::StringRef text, std::tuple<T &...> to);
template <size_t N> void take(llvm::StringRef text, std::array<unsigned, N> &to) {
  const char *at = text.begin();
  for (unsigned &each : to)
    take(takeText(at), each);
}
template <typename T> void take(llvm::StringRef text, std::optional<T> &to) {
  if (!text.empty())
    take(text, to.emplace());
}
template <typename A, typename B> void take(llvm::StringRef text, std::pair<A, B> &to) {
  take(text, std::tie(to.first, to.second));
}
template <IsRow T> void take(llvm::StringRef text, T &to) {
  std::apply([&](auto... column) { take(text, std::tie(to.*column...)); }, T::columns);
}
void take(llvm::StringRef text, IsList auto &to) {
  size_t count = 0;
  for (const char *at = text.begin(); at != text.end(); ++count)
    takeText(at);
  to.reserve(count);
  for (const char *at = text.begin(); at != text.end();)
    take(takeText(at), to.emplace_back());
}
template <typename... T> void take(llvm::StringRef text, std::tuple<T &...> to) {
  const char *at = text.begin();
  std::apply([&](auto &...field) { (take(takeText(at), field), ...); }, to);
}

template <typename Row> std::vector<Row> readTable(llvm::StringRef name) {
  std::vector<Row> rows;
  take(tableText(name), rows);
  return rows;
}

/// A row about a library in a range of its distribution's versions, both included. Tables of them
/// are sorted by library, distribution, then first version. The look-ups read a \p Row, whose text
/// they have, only if they need it.
template <typename Row = llvm::StringRef> struct Run {
  llvm::StringRef soname, dist, from, to;
  Row row = {};

  static constexpr auto columns =
      std::tuple(&Run::soname, &Run::dist, &Run::from, &Run::to, &Run::row);
};

template <typename Row> Row rowOf(const Run<> &run) {
  Row row;
  take(run.row, row);
  return row;
}

/// The rows of a library.
inline llvm::ArrayRef<Run<>> runsOf(llvm::ArrayRef<Run<>> rows, llvm::StringRef soname) {
  auto less = [](const auto &row, llvm::StringRef wanted) { return row.soname < wanted; };
  const auto *begin = llvm::lower_bound(rows, soname, less);
  const auto *end =
      std::find_if(begin, rows.end(), [&](const auto &row) { return row.soname != soname; });
  return {begin, end};
}

/// What belongs to the key, in a table that is sorted by it. Null if there is none.
template <typename Key, typename Value>
const Value *valueOf(const std::vector<std::pair<Key, Value>> &rows, const Key &key) {
  auto it =
      llvm::lower_bound(rows, key, [](const auto &row, const Key &k) { return row.first < k; });
  return it == rows.end() || it->first != key ? nullptr : &it->second;
}

} // namespace cudacc::tables::rows
