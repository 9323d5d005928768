// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/generate/Model.h"
#include "driver/tables/lookup/Tables.h"
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
  void writeFrameworks();
  void writeLibraries();
  void writePairs(llvm::StringRef name, const Model::Pairs &pairs);
  void writeRest();
  void writeShapes();
  void writeFloors();
  void writeDevice();
  void writeSymbols();
  void writeOpens();
  void writeVersionRules();
  void writeLists();
  void writeMessages();
  void writeFetched();

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
  /// Those of torch's builds, then those of the frameworks.
  std::vector<llvm::ArrayRef<rows::OwnedPin>> pinSets() const;
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
  std::string text;
  llvm::raw_string_ostream os;
};

} // namespace cudacc::tables::generate
