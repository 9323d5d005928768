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
  for (llvm::ArrayRef<rows::OwnedPin> pins : pinSets())
    for (const rows::OwnedPin &pin : pins)
      versions[pin.floor];
  for (const Model::Library &library : model.libraries) {
    versions[library.from];
    versions[library.last];
  }
  for (const Model::Shape &shape : model.shapes)
    versions[shape.from], versions[shape.to];
  for (const Model::Floor &floor : model.floors) {
    versions[floor.from], versions[floor.to], versions[floor.least];
    for (const auto &[first, last] : floor.notInLater)
      versions[first], versions[last];
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

unsigned Writer::toolkit(const std::optional<rows::Number> &number) const {
  return number ? unsigned(model.releases.findToolkit(*number) - model.releases.toolkits.data())
                : unsigned(rows::None);
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
  open("WheelRow", "wheels");
  for (const auto &[name, owner] : model.releases.dists)
    for (const auto &[number, releases] : owner.releases) {
      auto [it, isNew] = places.try_emplace(releases, unsigned(flat.size()));
      for (const rows::Number &each : releases)
        if (isNew)
          flat.push_back(toolkit(each));
      row({dist(name), version(number.str()), it->second, unsigned(releases.size())});
    }
  close();
  open("uint8_t", "releaseLists");
  for (unsigned release : flat)
    os << "    " << release << ",\n";
  close();
}

void Writer::writeTorch() {
  unsigned line = 0;
  open("TorchRow", "torchReleases");
  for (const rows::Torch &torch : model.releases.torch) {
    row({torch.number[0], torch.number[1], torch.number[2],
         unsigned(torch.find(torch.defaultLine) - torch.lines.data()), line,
         pool.add(torch.withoutCuda)});
    line += unsigned(torch.lines.size());
  }
  row({0, 0, 0, 0, line, pool.add("")});
  close();
  open("TorchLineRow", "torchLines");
  for (const rows::Torch &torch : model.releases.torch)
    for (const rows::Line &each : torch.lines)
      row({each.cuda.major, each.cuda.minor, pool.add(each.tag), toolkit(each.toolkit),
           each.pinSet});
  close();
}

std::vector<llvm::ArrayRef<rows::OwnedPin>> Writer::pinSets() const {
  std::vector<llvm::ArrayRef<rows::OwnedPin>> all;
  for (const rows::PinSet &set : model.releases.pinSets)
    all.push_back(set.pins);
  for (const rows::Framework &run : model.releases.frameworks)
    all.push_back(run.pins);
  return all;
}

void Writer::writePins() {
  unsigned pin = 0;
  open("PinSetRow", "pinSets");
  for (llvm::ArrayRef<rows::OwnedPin> pins : pinSets()) {
    row({pin});
    pin += unsigned(pins.size());
  }
  row({pin});
  close();
  open("PinRow", "pins");
  for (llvm::ArrayRef<rows::OwnedPin> pins : pinSets())
    for (const rows::OwnedPin &each : pins)
      row({dist(each.dist), version(each.floor), pool.add(each.spec), each.floats,
           unsigned(each.kind), unsigned(each.confidence)});
  close();
}

void Writer::writeFrameworks() {
  open("FrameworkNameRow", "frameworkNames");
  for (const Model::FrameworkName &name : model.frameworkNames)
    row({pool.add(name.name), pool.add(name.framework), textList(name.extras), name.major});
  close();
  unsigned pinSet = unsigned(model.releases.pinSets.size());
  open("FrameworkRow", "frameworks");
  for (const rows::Framework &run : model.releases.frameworks)
    row({pool.add(run.name), pool.add(run.first), textList(run.read), pool.add(run.torch),
         toolkit(run.toolkit), pinSet++, run.major, run.from.minor, run.to.minor,
         unsigned(run.kind), unsigned(run.confidence), run.toolkitFloats, run.requiresCuda});
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
  open("ReplacementRow", "replacements");
  for (const auto &[symbol, by] : model.replacements)
    row({pool.add(symbol), pool.add(by)});
  close();
  open("GeneratedNameRow", "generatedNames");
  for (const Model::GeneratedName &name : model.generatedNames)
    row({pool.add(name.begins), pool.add(name.contains), name.ofObject, pool.add(name.means),
         pool.add(name.because), pool.add(name.fix), pool.add(name.also)});
  close();
  open("NodeRow", "libstdcxxNodes");
  for (const auto &[node, gcc] : model.libstdcxxNodes)
    row({pool.add(node), pool.add(gcc)});
  close();
  open("LimitedApiRow", "limitedApi");
  for (const auto &[name, minor] : model.limitedApi)
    row({pool.add(name), minor});
  close();
}

void Writer::writePairs(StringRef name, const Model::Pairs &pairs) {
  open("PairRow", name);
  for (const auto &[first, second] : pairs)
    row({first.major, first.minor, second.major, second.minor});
  close();
}

void Writer::writeRest() {
  open("DriverRow", "driverFloors");
  for (const auto &[major, floor] : model.driverFloors)
    row({major, pool.add(floor)});
  close();
  writePairs("ptxVersions", model.ptx);
  writePairs("isas", model.minCudaOfPtx);
  writePairs("ltoIrs", model.ltoIr);
  open("PartRow", "parts");
  for (const Model::Part &part : model.parts)
    row({pool.add(part.name), pool.add(part.group), pool.add(part.library), part.kind, part.sides});
  close();
}

/// Texts, of which a compile reads nothing.
void Writer::writeFetched() {
  auto put = [&](StringRef name, StringRef lines) {
    os << "constexpr char " << name << "[] =\n";
    for (StringRef line : llvm::split(lines.drop_back(), '\n'))
      os << "    \"" << line << "\\n\"\n";
    os << "    ;\n";
  };
  put("toolkitParts", model.toolkitParts);
  put("toolkitWheels", model.toolkitWheels);
  put("archives", model.archives);
}

std::string Writer::write() {
  os << "// Made by cudacc-gen-tables from driver/tables/data.\n";
  numberVersions();
  writeToolkits();
  writeWheels();
  writeTorch();
  writePins();
  writeFrameworks();
  writeLibraries();
  writeRest();
  writeShapes();
  writeFloors();
  writeDevice();
  writeSymbols();
  writeOpens();
  writeVersionRules();
  writeLists();
  writeMessages();
  writeFetched();
  os << "constexpr llvm::StringLiteral dataRelease = \"" << model.dataRelease << "\";\n";
  pool.write(os);
  return std::move(text);
}

std::string write(const Model &model) { return Writer(model).write(); }

} // namespace cudacc::tables::generate
