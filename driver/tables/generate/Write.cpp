// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/generate/Writer.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::tables::generate {

using llvm::StringRef;

void checkRoom(StringRef table, size_t used) {
  if (used >= rows::None)
    failWith(fmt::format("the {} do not fit their index any more", table));
  if (used > rows::None / 5 * 4)
    llvm::errs() << fmt::format("cudacc-gen-tables: warning: the {} take {} of {} places\n", table,
                                used, rows::None);
}

unsigned Pool::add(StringRef text) {
  if (text.empty())
    return rows::None;
  auto [it, isNew] = places.try_emplace(text.str(), unsigned(units));
  if (!isNew)
    return it->second;
  if (text.size() > 255)
    failWith(fmt::format("longer than 255 bytes: \"{}\"", text));
  order.push_back(text.str());
  units += text.size() / rows::TextUnit + 1;
  return it->second;
}

void Pool::write(llvm::raw_ostream &os) const {
  os << "constexpr char pool[] =\n";
  for (const std::string &text : order) {
    unsigned length = unsigned(text.size());
    os << "    \"\\" << char('0' + length / 64) << char('0' + length / 8 % 8)
       << char('0' + length % 8) << "\" \"" << text;
    for (size_t end = length + 1; end % rows::TextUnit != 0; ++end)
      os << "\\0";
    os << "\"\n";
  }
  os << "    ;\n";
  checkRoom("texts", units);
}

void Writer::numberVersions() {
  for (const auto &[name, dist] : model.releases.dists) {
    for (const auto &[version, releases] : dist.releases)
      versions[version.str()];
    for (const std::string &wheel : wheelsOf(name))
      versions[wheel];
  }
  for (const rows::PinSet &set : model.releases.pinSets)
    for (const rows::OwnedPin &pin : set.pins)
      versions[pin.floor];
  for (const Model::Library &library : model.libraries) {
    versions[library.from];
    versions[library.last];
  }
  for (const Model::SymbolLibrary &library : model.symbolLibraries)
    for (const Model::SymbolVersion &version : library.versions)
      versions[version.version];
  versions.erase("");
  std::vector<std::pair<versions::Version, std::string>> sorted;
  for (const auto &[name, id] : versions)
    sorted.emplace_back(*versions::Version::parse(name), name);
  llvm::sort(sorted, [](const auto &a, const auto &b) {
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  });
  open("Text", "versions");
  unsigned next = 0;
  for (auto [index, each] : llvm::enumerate(sorted)) {
    // 3.3 and 3.3.0 are the same version.
    if (index && sorted[index - 1].first == each.first) {
      versions[each.second] = next - 1;
      continue;
    }
    versions[each.second] = next++;
    os << "    " << pool.add(each.second) << ",\n";
  }
  close();
}

unsigned Writer::list(const std::vector<unsigned> &numbers) {
  auto [it, isNew] = listPlaces.try_emplace(numbers, unsigned(lists.size()));
  if (isNew) {
    lists.push_back(unsigned(numbers.size()));
    llvm::append_range(lists, numbers);
  }
  return it->second;
}

void Writer::writeLists() {
  checkRoom("lists", lists.size());
  open("uint16_t", "lists");
  for (unsigned number : lists)
    os << "    " << number << ",\n";
  close();
}

std::vector<std::string> Writer::wheelsOf(const std::string &dist) const {
  std::vector<std::string> all;
  if (llvm::any_of(model.libraries, [&](const auto &each) { return each.dist == dist; }))
    for (const versions::Version &version : model.releases.dists.at(dist).wheels)
      all.push_back(version.str());
  return all;
}

void Writer::writeToolkits() {
  open("DistRow", "dists");
  for (const auto &[name, dist] : model.releases.dists) {
    std::vector<unsigned> wheels;
    for (const std::string &each : wheelsOf(name))
      wheels.push_back(version(each));
    row({pool.add(name), unsigned(dist.numbering), list(wheels)});
  }
  close();
  unsigned component = 0;
  open("ReleaseRow", "releases");
  for (const rows::Toolkit &each : model.releases.toolkits) {
    row({each.number[0], each.number[1], each.number[2], component});
    component += unsigned(each.components.size());
  }
  row({0, 0, 0, component});
  close();
  open("ComponentRow", "components");
  for (const rows::Toolkit &each : model.releases.toolkits)
    for (const auto &[name, number] : each.components)
      row({dist(name), version(number)});
  close();
}

void Writer::writeWheels() {
  std::map<std::set<rows::Number>, unsigned> places;
  std::vector<unsigned> flat;
  const std::vector<rows::Toolkit> &kits = model.releases.toolkits;
  open("WheelRow", "wheels");
  for (const auto &[name, owner] : model.releases.dists)
    for (const auto &[number, releases] : owner.releases) {
      auto [it, isNew] = places.try_emplace(releases, unsigned(flat.size()));
      for (const rows::Number &each : releases)
        if (isNew)
          flat.push_back(unsigned(model.releases.findToolkit(each) - kits.data()));
      row({dist(name), version(number.str()), it->second, unsigned(releases.size())});
    }
  close();
  open("uint8_t", "releaseLists");
  for (unsigned release : flat)
    os << "    " << release << ",\n";
  close();
}

void Writer::writePins() {
  unsigned pin = 0;
  open("PinSetRow", "pinSets");
  for (const rows::PinSet &set : model.releases.pinSets) {
    row({pin});
    pin += unsigned(set.pins.size());
  }
  row({pin});
  close();
  open("PinRow", "pins");
  for (const rows::PinSet &set : model.releases.pinSets)
    for (const rows::OwnedPin &each : set.pins)
      row({dist(each.dist), version(each.floor), each.floats, unsigned(each.kind),
           unsigned(each.confidence)});
  close();
}

void Writer::writeLibraries() {
  std::vector<Model::Library> sorted = model.libraries;
  llvm::sort(sorted, [&](const Model::Library &a, const Model::Library &b) {
    auto lower = [&](const std::string &from) { return from.empty() ? 0 : version(from) + 1; };
    return std::tuple(a.soname, a.major, dist(a.dist), lower(a.from)) <
           std::tuple(b.soname, b.major, dist(b.dist), lower(b.from));
  });
  open("LibraryRow", "libraries");
  for (const Model::Library &library : sorted)
    row({pool.add(library.soname), dist(library.dist), pool.add(library.folder),
         version(library.from), version(library.last), library.major, library.ownMinor});
  close();
  open("StemRow", "stems");
  for (const auto &[name, stem] : model.stems)
    row({pool.add(name), stem.archive, stem.origin, pool.add(stem.header), pool.add(stem.include),
         pool.add(llvm::join(stem.begins, " "))});
  close();
}

/// Tables of which most calls read nothing, or a few rows.
void Writer::writeTexts() {
  table("torchReleases", model.releases.torch);
  table("frameworkNames", model.frameworkNames);
  table("frameworks", llvm::map_range(model.releases.frameworks, [](const rows::Framework &each) {
          return std::pair(StringRef(each.name), each);
        }));
  table("replacements", model.replacements);
  table("generatedNames", model.generatedNames);
  table("libstdcxxNodes", model.libstdcxxNodes);
  table("limitedApi", model.limitedApi);
  table("driverFloors", model.driverFloors);
  table("ptxVersions", model.ptx);
  table("isas", model.minCudaOfPtx);
  table("ltoIrs", model.ltoIr);
  table("archs", llvm::make_second_range(model.archs));
  table("pipes", model.pipes);
  table("driverCudas", model.driverCudas);
  table("parts", model.parts);
  table("shapes", model.shapes);
  table("floors", model.floors);
  table("differences", model.differences);
  table("opens", model.opens);
  table("versionRules", model.versionRules);
  table("messages", model.messages);
  table("toolkitParts", model.toolkitParts);
  table("published", model.published);
  os << "constexpr std::pair<llvm::StringLiteral, llvm::StringRef> texts[] = {\n";
  for (StringRef name : texts)
    os << fmt::format("    {{\"{0}\", {{{0}, sizeof({0}) - 1}}}},\n", name);
  close();
}

void writeEscaped(llvm::raw_ostream &os, StringRef bytes) {
  for (char byte : bytes) {
    unsigned value = static_cast<unsigned char>(byte);
    if (value >= 0x20 && value < 0x7f && byte != '"' && byte != '\\' && byte != '?')
      os << byte;
    else
      os << '\\' << char('0' + value / 64) << char('0' + value / 8 % 8) << char('0' + value % 8);
  }
}

std::string Writer::write() {
  os << "// Made by cudacc-gen-tables from driver/tables/data.\n";
  numberVersions();
  writeToolkits();
  writeWheels();
  writePins();
  writeLibraries();
  writeSymbols();
  writeLists();
  writeTexts();
  os << "constexpr llvm::StringLiteral dataRelease = \"" << model.dataRelease << "\";\n";
  pool.write(os);
  return std::move(text);
}

std::string write(const Model &model) { return Writer(model).write(); }

} // namespace cudacc::tables::generate
