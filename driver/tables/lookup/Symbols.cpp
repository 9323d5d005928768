// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Symbols.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Lookup.h"
#include "driver/tables/lookup/Providers.h"
#include "driver/tables/lookup/SymbolNames.h"
#include "driver/tables/lookup/TextTable.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <map>

namespace cudacc::tables {

using llvm::StringRef;
using versions::CudaVersion;
using versions::Exported;

/// The rows of a SONAME that apply to a major.
static llvm::ArrayRef<rows::SymbolSliceRow> slicesOf(StringRef soname, unsigned major) {
  auto rows = rows::symbolSlices();
  auto key = [](const rows::SymbolSliceRow &row) {
    return std::pair(rows::str(row.soname), unsigned(row.major));
  };
  for (unsigned wanted : {major, 0u}) {
    auto it =
        llvm::lower_bound(rows, std::pair(soname, wanted),
                          [&](const auto &row, const auto &value) { return key(row) < value; });
    auto end = std::find_if(it, rows.end(),
                            [&](const auto &row) { return key(row) != std::pair(soname, wanted); });
    if (it != end)
      return llvm::ArrayRef(it, end);
  }
  return {};
}

std::optional<SymbolTable> SymbolTable::find(StringRef soname, unsigned major, StringRef dist) {
  auto slices = slicesOf(soname, major);
  if (slices.empty())
    return std::nullopt;
  const rows::SymbolSliceRow *slice = slices.begin();
  uint16_t wanted = dist.empty() ? rows::None : rows::findDist(dist);
  for (const rows::SymbolSliceRow &each : slices)
    for (const auto &version : rows::symbolVersions().slice(each.first, each.count))
      if (wanted != rows::None && version.dist == wanted)
        slice = &each;
  SymbolTable table;
  table.library = slice->library;
  table.first = slice->first;
  table.count = slice->count;
  return table;
}

size_t SymbolTable::size() const { return count; }

SymbolVersion SymbolTable::at(size_t index) const {
  const rows::SymbolVersionRow &row = rows::symbolVersions()[first + index];
  SymbolVersion version;
  if (row.dist != rows::None)
    version.dist = rows::str(rows::dists()[row.dist].name);
  version.version = rows::versionText(row.version);
  version.soname = rows::str(row.soname);
  version.major = row.major;
  version.toolkit = {row.cudaMajor, row.cudaMinor};
  return version;
}

/// The answer for a name that is not in a library whose internal names may have been left out. If
/// it has a prefix of the library's interface it is certainly absent: the names left out are C++
/// names, kernels (`sm80_xmma_...`) and data.
static Exported absent(const rows::SymbolLibraryRow &library, StringRef symbol) {
  if (!library.leftOut)
    return Exported::No;
  StringRef word = symbol.take_while([](char c) { return llvm::isDigit(c) || llvm::isLower(c); });
  if (word.empty() || word.size() == symbol.size() || !llvm::isUpper(symbol[word.size()]))
    return Exported::Unknown;
  for (StringRef words = rows::str(library.words); !words.empty();) {
    auto [next, rest] = words.split(' ');
    if (next == word)
      return Exported::No;
    words = rest;
  }
  return Exported::Unknown;
}

SymbolTable::Answer SymbolTable::find(StringRef symbol) const {
  const rows::SymbolLibraryRow &row = rows::symbolLibraries()[library];
  if (auto name = rows::findName(symbol))
    if (auto ranges = rows::findRanges(row, *name))
      return {*ranges, Exported::No};
  return {rows::None, absent(row, symbol)};
}

Exported SymbolTable::exported(size_t index, const Answer &answer) const {
  unsigned place = first + unsigned(index) - rows::symbolLibraries()[library].firstVersion;
  if (answer.ranges == rows::None)
    return answer.otherwise;
  return rows::anyIn(answer.ranges, place, place) ? Exported::Yes : answer.otherwise;
}

Exported SymbolTable::exported(size_t index, StringRef symbol) const {
  return exported(index, find(symbol));
}

Exported SymbolTable::exported(const versions::Version &version, StringRef symbol) const {
  auto rows = rows::symbolVersions().slice(first, count);
  auto it = llvm::lower_bound(rows, version, [](const auto &row, const versions::Version &wanted) {
    return rows::compare(row.version, wanted) < 0;
  });
  size_t index = size_t(it - rows.begin());
  if (it != rows.end() && rows::compare(it->version, version) == 0)
    return exported(index, symbol);
  if (version.post) {
    versions::Version base = version;
    base.post.reset();
    return exported(base, symbol);
  }
  if (index == 0 || it == rows.end())
    return Exported::Unknown;
  Answer answer = find(symbol);
  Exported older = exported(index - 1, answer), newer = exported(index, answer);
  return older == newer ? older : Exported::Unknown;
}

/// The answer for aarch64, if it is not that for x86-64.
std::optional<Exported> SymbolTable::differing(const versions::Version &version,
                                               StringRef symbol) const {
  static const auto all = rows::readTable<rows::Run<>>("differences");
  auto own = rows::symbolVersions().slice(first, count);
  bool isCompared = false, isNamed = false, isLeftOut = false;
  for (const rows::Run<> &run : rows::runsOf(all, rows::str(own.front().soname))) {
    auto row = rows::rowOf<rows::Difference>(run);
    uint16_t dist = rows::findDist(run.dist);
    if (llvm::none_of(own, [&](const auto &each) { return each.dist == dist; }))
      continue;
    bool lacks = llvm::is_contained(row.lacks, symbol);
    bool has = llvm::is_contained(row.more, symbol);
    isNamed |= lacks || has;
    isLeftOut |= row.leftOut;
    if (!rows::contains(run.from, run.to, version))
      continue;
    if (lacks || has)
      return lacks ? Exported::No : Exported::Yes;
    isCompared = true;
    isLeftOut = row.leftOut;
    break;
  }
  bool isInternal = symbol.starts_with("_Z");
  if ((isNamed && !isCompared) || (isLeftOut && isInternal))
    return Exported::Unknown;
  return std::nullopt;
}

Exported SymbolTable::exported(const versions::Version &version, StringRef symbol,
                               uint16_t machine) const {
  if (machine == llvm::ELF::EM_AARCH64)
    if (auto answer = differing(version, symbol))
      return *answer;
  return exported(version, symbol);
}

std::vector<std::string> SymbolTable::names(size_t index) const {
  const rows::SymbolLibraryRow &row = rows::symbolLibraries()[library];
  unsigned place = first + unsigned(index) - row.firstVersion;
  std::vector<std::string> names;
  rows::forEachName(row, [&](rows::NameId name, uint16_t ranges) {
    if (rows::anyIn(ranges, place, place))
      names.push_back(rows::nameText(name));
  });
  return names;
}

bool SymbolTable::anyExports(StringRef symbol) const {
  Answer answer = find(symbol);
  unsigned place = first - rows::symbolLibraries()[library].firstVersion;
  return answer.ranges != rows::None && rows::anyIn(answer.ranges, place, place + count - 1);
}

/// `libnvrtc.so.12` of `libnvrtc.alt.so.12`; empty if the name is not of a variant.
static std::string plainOf(StringRef soname) {
  auto [stem, ending] = soname.split(".so");
  return stem.contains('.') ? fmt::format("{}.so{}", stem.split('.').first, ending) : "";
}

std::vector<StringRef> sonamesExporting(StringRef symbol, unsigned major) {
  std::vector<StringRef> sonames;
  auto name = rows::findName(symbol);
  if (!name)
    return sonames;
  for (auto [index, library] : llvm::enumerate(rows::symbolLibraries())) {
    auto ranges = rows::findRanges(library, *name);
    if (!ranges)
      continue;
    for (const rows::SymbolSliceRow &slice : rows::symbolSlices()) {
      bool speaks = slice.library == index && (!major || !slice.major || slice.major == major);
      unsigned place = slice.first - library.firstVersion;
      if (speaks && rows::anyIn(*ranges, place, place + slice.count - 1))
        sonames.push_back(rows::str(slice.soname));
    }
  }
  llvm::sort(sonames);
  sonames.erase(std::unique(sonames.begin(), sonames.end()), sonames.end());
  std::vector<StringRef> all = sonames;
  llvm::erase_if(sonames, [&](StringRef soname) {
    std::string plain = plainOf(soname);
    return !plain.empty() && llvm::is_contained(all, plain);
  });
  return sonames;
}

versions::CudaVersion firstReleaseWith(StringRef linkName, llvm::ArrayRef<std::string> symbols) {
  std::map<unsigned, SymbolTable> tables;
  for (const rows::SymbolSliceRow &slice : rows::symbolSlices()) {
    auto known = libraryByFileName(rows::str(slice.soname));
    if (known && known->name == linkName)
      if (auto table = SymbolTable::find(rows::str(slice.soname), slice.major))
        tables.emplace(slice.major, *table);
  }
  auto firstWith = [&](StringRef symbol) {
    for (const auto &[major, table] : tables)
      if (table.anyExports(symbol))
        for (size_t i = 0; i != table.size(); ++i)
          if (table.exported(i, symbol) == Exported::Yes)
            return table.at(i).toolkit;
    return versions::CudaVersion();
  };
  versions::CudaVersion newest;
  for (const std::string &symbol : symbols)
    newest = std::max(newest, firstWith(symbol));
  return newest;
}

StringRef replacementOf(StringRef symbol) {
  static const auto all = rows::readTable<std::pair<StringRef, StringRef>>("replacements");
  const StringRef *by = rows::valueOf(all, symbol);
  return by ? *by : StringRef();
}

std::optional<GeneratedName> generatedName(StringRef symbol) {
  static const auto all = rows::readTable<GeneratedName>("generatedNames");
  auto it = llvm::find_if(all, [&](const GeneratedName &row) {
    return symbol.starts_with(row.begins) && symbol.contains(row.contains);
  });
  return it == all.end() ? std::nullopt : std::optional(*it);
}

std::string systemReleaseOf(StringRef node) {
  static const auto all = rows::readTable<std::pair<StringRef, StringRef>>("libstdcxxNodes");
  if (StringRef number = node; number.consume_front("GLIBC_") && versions::Version::parse(number))
    return fmt::format("glibc {}", number);
  const StringRef *gcc = rows::valueOf(all, node);
  if (!gcc)
    return {};
  return fmt::format("gcc {}", gcc->ends_with(".0") ? gcc->drop_back(2) : *gcc);
}

std::optional<CudaVersion> nvJitLinkSuffix(StringRef symbol) {
  if (!symbol.consume_front("__nvJitLink"))
    return std::nullopt;
  auto [front, minor] = symbol.rsplit('_');
  auto [name, major] = front.rsplit('_');
  CudaVersion suffix;
  if (name.empty() || !llvm::all_of(major, llvm::isDigit) || !llvm::all_of(minor, llvm::isDigit) ||
      major.getAsInteger(10, suffix.major) || minor.getAsInteger(10, suffix.minor) ||
      !suffix.known())
    return std::nullopt;
  return suffix;
}

bool isPythonName(StringRef symbol) {
  symbol.consume_front("_");
  return symbol.consume_front("Py") && !symbol.empty() &&
         (symbol.front() == '_' || llvm::isUpper(symbol.front()));
}

std::optional<unsigned> limitedApiSince(StringRef symbol) {
  static const auto all = rows::readTable<std::pair<StringRef, unsigned>>("limitedApi");
  const unsigned *minor = rows::valueOf(all, symbol);
  return minor ? std::optional(*minor) : std::nullopt;
}

} // namespace cudacc::tables
