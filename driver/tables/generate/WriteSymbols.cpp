// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/generate/Writer.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tables::generate {

using llvm::StringRef;

namespace {

using Names = std::map<StringRef, unsigned>;

void addShort(std::string &bytes, unsigned number) {
  bytes += char(number);
  bytes += char(number >> 8);
}

/// Writes one string literal: an array of numbers would take the compiler seconds.
void writeBytes(llvm::raw_ostream &os, StringRef name, StringRef bytes) {
  os << "constexpr char " << name << "[] =\n";
  for (size_t at = 0; at < bytes.size(); at += 64) {
    os << "    \"";
    writeEscaped(os, bytes.substr(at, 64));
    os << "\"\n";
  }
  os << "    ;\n";
}

/// All distinct names, sorted, in blocks: the first name of a block is complete, the others omit
/// the prefix shared with the previous name. Also numbers the names.
std::string frontCode(Names &names, std::vector<size_t> &blocks) {
  std::string bytes;
  StringRef before;
  unsigned index = 0;
  for (auto &[name, number] : names) {
    size_t shared = 0;
    if (index % rows::NamesPerBlock == 0)
      blocks.push_back(bytes.size());
    else
      while (shared < before.size() && shared < name.size() && before[shared] == name[shared])
        ++shared;
    if (index % rows::NamesPerBlock != 0)
      addNumber(bytes, shared);
    addNumber(bytes, name.size() - shared);
    bytes += name.substr(shared);
    before = name;
    number = index++;
  }
  return bytes;
}

/// The number of ranges, then gap and length of each.
std::string rangeList(const Model::Ranges &ranges) {
  std::string bytes;
  addNumber(bytes, ranges.size());
  unsigned next = 0;
  for (auto [first, last] : ranges) {
    addNumber(bytes, first - next);
    addNumber(bytes, last - first);
    next = last + 1;
  }
  return bytes;
}

struct Slice {
  std::string soname;
  /// 0: every major.
  unsigned major = 0, library = 0, first = 0, count = 0;
};

std::vector<Slice> slicesOf(const std::vector<Model::SymbolLibrary> &libraries) {
  std::vector<Slice> slices;
  unsigned next = 0;
  for (auto [index, library] : llvm::enumerate(libraries))
    for (const Model::SymbolVersion &version : library.versions) {
      unsigned major = version.dist.empty() ? 0 : version.major;
      bool same = !slices.empty() && slices.back().library == index &&
                  slices.back().soname == version.soname && slices.back().major == major;
      if (!same)
        slices.push_back({version.soname, major, unsigned(index), next, 0});
      ++slices.back().count;
      ++next;
    }
  // A library of which other wheels have copies comes first: cuFFTMp's wheel has a libcufftw, too.
  llvm::stable_sort(slices, [](const Slice &a, const Slice &b) {
    return std::tuple(StringRef(a.soname), a.major, -int(a.count)) <
           std::tuple(StringRef(b.soname), b.major, -int(b.count));
  });
  for (size_t i = 1; i < slices.size(); ++i)
    if (slices[i - 1].soname == slices[i].soname && slices[i - 1].major == slices[i].major &&
        slices[i - 1].count == slices[i].count)
      failWith(fmt::format("symbols: two files have {} in CUDA {} and neither has more versions",
                           slices[i].soname, slices[i].major));
  return slices;
}

} // namespace

void addNumber(std::string &bytes, size_t number) {
  for (; number >= 0x80; number >>= 7)
    bytes += char(number | 0x80);
  bytes += char(number);
}

void Writer::writeSymbols() {
  Names names;
  for (const Model::SymbolLibrary &library : model.symbolLibraries)
    for (const auto &[name, ranges] : library.symbols)
      names[name];
  for (const auto &[name, since] : model.driverNames)
    names[name];
  std::vector<size_t> blocks;
  writeBytes(os, "symbolNames", frontCode(names, blocks));
  open("uint32_t", "symbolBlocks");
  for (size_t at : blocks)
    os << "    " << at << ",\n";
  close();
  os << "constexpr uint16_t symbolNameCount = " << names.size() << ";\n";

  std::map<std::string, unsigned> lists;
  std::string entries, flat;
  unsigned version = 0;
  open("SymbolLibraryRow", "symbolLibraries");
  for (const Model::SymbolLibrary &library : model.symbolLibraries) {
    row({unsigned(entries.size()), unsigned(library.symbols.size()), version,
         pool.add(library.words), library.leftOut});
    version += unsigned(library.versions.size());
    std::string second;
    for (const auto &[name, ranges] : library.symbols) {
      std::string list = rangeList(ranges);
      auto [it, isNew] = lists.try_emplace(list, unsigned(flat.size()));
      if (isNew)
        flat += list;
      addShort(entries, names.at(name));
      addShort(second, it->second);
    }
    entries += second;
  }
  close();
  checkRoom("names of symbols", names.size());
  checkRoom("ranges of symbols", flat.size());
  checkRoom("versions of symbols", version);
  writeBytes(os, "symbolEntries", entries);
  writeBytes(os, "symbolLists", flat);

  open("SymbolVersionRow", "symbolVersions");
  for (const Model::SymbolLibrary &library : model.symbolLibraries)
    for (const Model::SymbolVersion &each : library.versions)
      row({this->version(each.version), dist(each.dist), pool.add(each.soname), each.major,
           each.toolkit.major, each.toolkit.minor});
  close();
  open("SymbolSliceRow", "symbolSlices");
  for (const Slice &slice : slicesOf(model.symbolLibraries))
    row({pool.add(slice.soname), slice.library, slice.first, slice.count, slice.major});
  close();
  open("DriverNameRow", "driverNames");
  for (const auto &[name, since] : model.driverNames)
    row({names.at(name), since.first.major, since.first.minor, since.second});
  close();
}

} // namespace cudacc::tables::generate
