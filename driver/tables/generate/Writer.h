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

/// Appends a number in LEB128.
void addNumber(std::string &bytes, size_t number);

/// Each put() appends a value as rows::take() takes it.
inline void put(std::string &out, llvm::StringRef text) { out += text; }
void put(std::string &out, rows::IsNumber auto from) { out += fmt::format("{}", uint64_t(from)); }
void put(std::string &out, const rows::IsParsed auto &from) { out += from.str(); }
template <typename... T> void put(std::string &out, const std::tuple<const T &...> &from);
template <typename A, typename B> void put(std::string &out, const std::pair<A, B> &from) {
  put(out, std::tie(from.first, from.second));
}
template <rows::IsRow T> void put(std::string &out, const T &from) {
  std::apply([&](auto... column) { put(out, std::tie(from.*column...)); }, T::columns);
}
template <typename T> void putField(std::string &out, const T &from);
template <typename T>
  requires(rows::IsList<T> || std::same_as<T, rows::Number>)
void put(std::string &out, const T &from) {
  for (const auto &each : from)
    putField(out, each);
}
template <typename T> void put(std::string &out, const std::optional<T> &from) {
  if (from)
    put(out, *from);
}
template <typename... T> void put(std::string &out, const std::tuple<const T &...> &from) {
  std::apply([&](auto &...field) { (putField(out, field), ...); }, from);
}
template <typename T> void putField(std::string &out, const T &from) {
  std::string field;
  put(field, from);
  addNumber(out, field.size());
  out += field;
}

class Writer {
public:
  explicit Writer(const Model &model) : model(model), os(text) {}
  std::string write();

private:
  void numberVersions();
  void writeToolkits();
  void writeWheels();
  void writePins();
  void writeLibraries();
  void writeSymbols();
  void writeLists();
  void writeTexts();

  /// Writes a table that is kept as text, see TextTable.h.
  template <typename Rows> void table(llvm::StringRef name, const Rows &rows) {
    os << "constexpr char " << name << "[] =\n    \"\"\n";
    for (const auto &row : rows) {
      std::string text;
      putField(text, row);
      os << "    \"";
      writeEscaped(os, text);
      os << "\"\n";
    }
    os << "    ;\n";
    texts.push_back(name);
  }

  /// Adds a list and returns the index of its start. Equal lists are shared.
  unsigned list(const std::vector<unsigned> &numbers);

  unsigned dist(const std::string &name) const {
    const auto &dists = model.releases.dists;
    auto it = dists.find(name);
    return it == dists.end() ? rows::None : unsigned(std::distance(dists.begin(), it));
  }
  unsigned version(const std::string &name) const {
    return name.empty() ? rows::None : versions.at(name);
  }
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
