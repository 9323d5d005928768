// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/generate/Model.h"
#include "driver/tables/lookup/Tables.h"
#include "driver/tables/lookup/TextTable.h"
#include "driver/versions/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace cudacc::tables::generate {

/// Stops if \p used does not fit an index of 16 bits, and warns early: above 80 %.
void checkRoom(llvm::StringRef table, size_t used);

/// A pool of distinct strings, each preceded by its length. An index counts units.
class Pool {
public:
  unsigned add(llvm::StringRef text);
  void write(llvm::raw_ostream &os) const;

private:
  std::map<std::string, unsigned> places;
  std::vector<std::string> order;
  size_t units = 0;
};

/// Writes the inside of a string literal.
void writeEscaped(llvm::raw_ostream &os, llvm::StringRef bytes);

/// Fails if the text has a character that ends fields.
void put(std::string &out, llvm::StringRef text, size_t);
void put(std::string &out, rows::IsNumber auto from, size_t) {
  out += fmt::format("{}", uint64_t(from));
}
void put(std::string &out, const rows::IsParsed auto &from, size_t) { out += from.str(); }
inline void put(std::string &out, const rows::Number &from, size_t) { out += rows::str(from); }
template <typename T> void put(std::string &out, const std::optional<T> &from, size_t depth) {
  if (from)
    put(out, *from, depth);
}
template <typename... T>
void put(std::string &out, const std::tuple<const T &...> &from, size_t depth);
template <typename A, typename B>
void put(std::string &out, const std::pair<A, B> &from, size_t depth) {
  put(out, std::tie(from.first, from.second), depth);
}
template <rows::IsRow T> void put(std::string &out, const T &from, size_t depth) {
  std::apply([&](auto... column) { put(out, std::tie(from.*column...), depth); }, T::columns);
}
void put(std::string &out, const rows::IsList auto &from, size_t depth) {
  for (const auto &each : from) {
    put(out, each, depth + 1);
    out += rows::Ends[depth];
  }
}
template <typename... T>
void put(std::string &out, const std::tuple<const T &...> &from, size_t depth) {
  std::apply(
      [&](auto &...field) { (((put(out, field, depth + 1)), out += rows::Ends[depth]), ...); },
      from);
}

class Writer {
public:
  explicit Writer(const Model &model) : model(model), os(text) {}
  std::string write();

private:
  void numberVersions();
  void writeToolkits();
  void writeWheels();
  void writeTorch();
  void writePins();
  void writeLibraries();
  void writeShapes();
  void writeFloors();
  void writeSymbols();
  void writeLists();
  void writeTexts();

  /// Writes a table that is kept as text, see TextTable.h.
  template <typename Rows> void table(llvm::StringRef name, const Rows &rows) {
    os << "constexpr char " << name << "[] =\n    \"\"\n";
    for (const auto &row : rows) {
      std::string text;
      put(text, row, 1);
      text += rows::Ends[0];
      os << "    \"";
      writeEscaped(os, text);
      os << "\"\n";
    }
    os << "    ;\n";
    texts.push_back(name);
  }

  /// Adds a list and returns the index of its start. Equal lists are shared.
  unsigned list(const std::vector<unsigned> &numbers);
  unsigned textList(const std::vector<std::string> &texts);

  unsigned dist(const std::string &name) const {
    const auto &dists = model.releases.dists;
    auto it = dists.find(name);
    return it == dists.end() ? rows::None : unsigned(std::distance(dists.begin(), it));
  }
  unsigned version(const std::string &name) const {
    return name.empty() ? rows::None : versions.at(name);
  }
  /// Index of a toolkit release.
  unsigned toolkit(const std::optional<rows::Number> &number) const;
  /// The wheel versions of a distribution, if it has a library.
  std::vector<std::string> wheelsOf(const std::string &dist) const;
  void open(llvm::StringRef type, llvm::StringRef name) {
    os << "constexpr " << type << ' ' << name << "[] = {\n";
  }
  void close() { os << "};\n"; }
  /// Writes one row of small numbers or indices.
  void row(std::initializer_list<unsigned> columns) {
    os << "    {";
    for (const unsigned *it = columns.begin(); it != columns.end(); ++it)
      os << (it == columns.begin() ? "" : ", ") << *it;
    os << "},\n";
  }

  const Model &model;
  Pool pool;
  std::map<std::string, unsigned> versions;
  /// All lists; each is preceded by its length.
  std::vector<unsigned> lists;
  std::map<std::vector<unsigned>, unsigned> listPlaces;
  std::vector<llvm::StringRef> texts;
  std::string text;
  llvm::raw_string_ostream os;
};

} // namespace cudacc::tables::generate
