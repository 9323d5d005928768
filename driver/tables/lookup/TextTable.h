// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <concepts>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

/// Tables that are kept as text: a list of rows, whose fields may be lists, and these lists of
/// further rows. A struct has `columns`: its members in the order of the fields, by which the
/// generator writes it and the look-ups read it.
namespace cudacc::tables::rows {

/// What ends each item of a list and each field of a row, by depth.
inline constexpr std::string_view Ends = "\034\035\036\037";

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

inline llvm::StringRef cut(llvm::StringRef &text, char end) {
  auto [front, rest] = text.split(end);
  text = rest;
  return front;
}

void take(llvm::StringRef text, IsText auto &to, size_t) { to = text; }
void take(llvm::StringRef text, IsNumber auto &to, size_t) {
  uint64_t number = 0;
  text.getAsInteger(10, number);
  to = std::remove_reference_t<decltype(to)>(number);
}
template <IsParsed T> void take(llvm::StringRef text, T &to, size_t) {
  to = T::parse(text).value_or(T());
}
template <size_t N> void take(llvm::StringRef text, std::array<unsigned, N> &to, size_t) {
  for (unsigned &each : to)
    take(cut(text, '.'), each, 0);
}
template <typename T> void take(llvm::StringRef text, std::optional<T> &to, size_t depth) {
  if (!text.empty())
    take(text, to.emplace(), depth);
}
template <typename... T> void take(llvm::StringRef text, std::tuple<T &...> to, size_t depth);
template <typename A, typename B>
void take(llvm::StringRef text, std::pair<A, B> &to, size_t depth) {
  take(text, std::tie(to.first, to.second), depth);
}
template <IsRow T> void take(llvm::StringRef text, T &to, size_t depth) {
  std::apply([&](auto... column) { take(text, std::tie(to.*column...), depth); }, T::columns);
}
void take(llvm::StringRef text, IsList auto &to, size_t depth) {
  while (!text.empty())
    take(cut(text, Ends[depth]), to.emplace_back(), depth + 1);
}
template <typename... T> void take(llvm::StringRef text, std::tuple<T &...> to, size_t depth) {
  std::apply([&](auto &...field) { (take(cut(text, Ends[depth]), field, depth + 1), ...); }, to);
}

template <typename Row> std::vector<Row> readTable(llvm::StringRef name) {
  std::vector<Row> rows;
  take(tableText(name), rows, 0);
  return rows;
}

/// What belongs to the key, in a table that is sorted by it. Null if there is none.
template <typename Key, typename Value>
const Value *valueOf(const std::vector<std::pair<Key, Value>> &rows, const Key &key) {
  auto it =
      llvm::lower_bound(rows, key, [](const auto &row, const Key &k) { return row.first < k; });
  return it == rows.end() || it->first != key ? nullptr : &it->second;
}

} // namespace cudacc::tables::rows
