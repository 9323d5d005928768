// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/generate/Model.h"
#include "driver/versions/Format.h"
#include "driver/versions/Requirement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::tables::generate {

using llvm::StringRef;

namespace {

using Library = Model::SymbolLibrary;
using support::Value;

/// The distribution from which a version was read, by the name of its wheel. Empty for a driver.
std::string distOf(const Row &row) {
  StringRef wheel = row.text("source");
  if (!wheel.ends_with(".whl"))
    return {};
  return versions::Requirement::normalise(wheel.split('-').first);
}

Model::SymbolVersion readVersion(const Row &row, const Model &model) {
  Model::SymbolVersion version;
  version.dist = distOf(row);
  row.asVersion(row.text("dist_version"));
  version.version = row.text("dist_version").str();
  version.soname = row.text("soname").str();
  version.major = row.asNumbers(row.text("cuda"), 1)[0];
  StringRef toolkit = row.textOrNull("toolkit");
  if (!toolkit.empty())
    version.toolkit = row.asCuda(toolkit);
  if (!version.dist.empty())
    requireDist(row, model, version.dist);
  return version;
}

/// Versions of one SONAME in one major must be adjacent, oldest first.
void checkOrder(const Row &file, const Library &library) {
  std::set<std::pair<std::string, uint8_t>> closed;
  for (size_t i = 1; i < library.versions.size(); ++i) {
    const auto &before = library.versions[i - 1], &here = library.versions[i];
    std::string place = fmt::format("{} {}", here.soname, here.version);
    if (before.soname != here.soname || before.major != here.major) {
      closed.emplace(before.soname, before.major);
      file.require(!closed.count({here.soname, here.major}), "{} is apart from its kind", place);
      continue;
    }
    file.require(*versions::Version::parse(before.version) <
                     *versions::Version::parse(here.version),
                 "{} is not newer than the version before it", place);
  }
}

/// Merges the entries of a name that differ only in their version node.
void addRanges(const Row &file, StringRef name, const Value &value, Library &library) {
  Model::Ranges &ranges = library.symbols[name.str()];
  file.require(value.isList(), "{} has no list of pairs", name);
  for (const Value &pair : value.items) {
    file.require(pair.isList() && pair.items.size() == 2, "{} has something else than pairs", name);
    unsigned first = file.asIndex(pair.items[0]), last = file.asIndex(pair.items[1]);
    file.require(first <= last && last < library.versions.size(), "{} has a pair that is none",
                 name);
    ranges.emplace_back(first, last);
  }
  llvm::sort(ranges);
  Model::Ranges united;
  for (auto [first, last] : ranges) {
    if (!united.empty() && first <= united.back().second + 1)
      united.back().second = std::max(united.back().second, last);
    else
      united.emplace_back(first, last);
  }
  ranges = std::move(united);
}

/// `cudnn` for cudnnCreate. Empty if no capital follows the lower case letters and digits.
StringRef wordOf(StringRef name) {
  StringRef word =
      name.take_while([](char c) { return llvm::isDigit(c) || (c >= 'a' && c <= 'z'); });
  bool capital = word.size() < name.size() && name[word.size()] >= 'A' && name[word.size()] <= 'Z';
  return capital ? word : StringRef();
}

Library readLibrary(const Row &file, const Model &model) {
  Library library;
  library.name = file.text("library").str();
  for (const Row &row : file.rows("versions"))
    library.versions.push_back(readVersion(row, model));
  file.require(!library.versions.empty(), "no versions");
  checkOrder(file, library);
  for (const auto &[key, value] : rows::membersOf(file.map("symbols")))
    addRanges(file, StringRef(key).split('@').first, value, library);
  library.leftOut = file.number("internal_names_left_out") > 0;
  std::set<std::string> words;
  for (const auto &[name, ranges] : library.symbols)
    words.insert(wordOf(name).str());
  words.erase("");
  if (library.leftOut)
    library.words = llvm::join(words, " ");
  return library;
}

/// Reads names exported by the driver, from headers and the driver's own typedefs.
void readDriverNames(const Row &row, Model &model) {
  for (const auto &[key, value] : rows::membersOf(row.map("symbols"))) {
    row.require(value.isList() && value.items.size() == 3, "{} does not have 3 columns", key);
    StringRef since = row.asText(value.items[0]);
    bool atMost = since.consume_front("<=");
    model.driverNames[key] = {row.asCuda(since), atMost};
  }
}

bool beginsLike(StringRef symbol, StringRef begin) {
  if (!symbol.consume_front(begin) || symbol.empty())
    return false;
  return begin.ends_with("_") || (symbol.front() >= 'A' && symbol.front() <= 'Z');
}

/// Reads a row of name_fashions: a table of the library must have names with that prefix.
void readFashion(const Row &row, Model &model) {
  std::string stem = row.text("library").str();
  row.require(model.stems.count(stem), "{} is not a library that is known", stem);
  for (StringRef begin : row.texts("begins")) {
    bool shown = llvm::any_of(model.symbolLibraries, [&](const Library &library) {
      StringRef soname = library.versions.front().soname;
      return soname.starts_with(fmt::format("lib{}.so", stem)) &&
             llvm::any_of(library.symbols,
                          [&](const auto &each) { return beginsLike(each.first, begin); });
    });
    row.require(shown, "no name of {} begins with {}", stem, begin);
    model.stems[stem].begins.push_back(begin.str());
  }
}

/// Reads a row of symbol_replacements: a library must have both names, and its newest version only
/// the new one.
void readReplacement(const Row &row, Model &model) {
  std::string symbol = row.text("symbol").str(), by = row.text("by").str();
  bool shown = llvm::any_of(model.symbolLibraries, [&](const Library &library) {
    auto old = library.symbols.find(symbol), other = library.symbols.find(by);
    auto end = library.symbols.end();
    unsigned newest = unsigned(library.versions.size()) - 1;
    return old != end && other != end && old->second.back().second < newest &&
           other->second.back().second == newest;
  });
  row.require(shown, "{} did not vanish from a library that has {}", symbol, by);
  model.replacements[symbol] = by;
}

void readGeneratedName(const Row &row, Model &model) {
  GeneratedName name{row.text("begins"),    row.textOrNull("contains"), row.flag("ofObject"),
                     row.text("means"),     row.text("because"),        row.text("fix"),
                     row.textOrNull("also")};
  row.confidence();
  bool isHidden = llvm::any_of(model.generatedNames, [&](const GeneratedName &earlier) {
    return name.begins.starts_with(earlier.begins) && name.contains.contains(earlier.contains);
  });
  row.require(!isHidden, "an earlier row takes what begins with {}", name.begins);
  model.generatedNames.push_back(name);
}

rows::Run<rows::Difference> readDifference(const Row &row, Model &model) {
  rows::Run<rows::Difference> difference;
  difference.soname = row.text("soname");
  difference.dist = row.text("dist");
  difference.from = model.keep(row.asVersion(row.text("from_version")).str());
  difference.to = model.keep(row.asVersion(row.text("to_version")).str());
  difference.row.lacks = row.texts("lacks");
  difference.row.more = row.texts("more");
  difference.row.leftOut = row.number("left_out") > 0;
  row.confidence();
  bool isRead = llvm::any_of(model.symbolLibraries, [&](const Library &library) {
    return llvm::any_of(library.versions, [&](const Model::SymbolVersion &version) {
      return version.soname == difference.soname && version.dist == difference.dist &&
             version.version == difference.from;
    });
  });
  row.require(isRead, "{} of {} {} was not read for x86-64", difference.soname, difference.dist,
              difference.from);
  return difference;
}

/// Keeps the runs of libraries of which at least one differs.
void readDifferences(Input &input, Model &model) {
  for (const Row &row : input.rows("aarch64_exports"))
    model.differences.push_back(readDifference(row, model));
  std::set<std::pair<StringRef, StringRef>> different;
  for (const auto &each : model.differences)
    if (const auto &[lacks, more, leftOut] = each.row; !lacks.empty() || !more.empty() || leftOut)
      different.emplace(each.soname, each.dist);
  llvm::erase_if(model.differences,
                 [&](const auto &each) { return !different.count({each.soname, each.dist}); });
  sortRuns(model.differences);
}

void readLimitedApi(const Row &row, Model &model) {
  auto since = row.asNumbers(row.text("since"), 2);
  row.require(since[0] == 3, "no version of Python 3");
  for (StringRef name : row.texts("names"))
    row.require(model.limitedApi.try_emplace(name.str(), since[1]).second, "\"{}\" stands twice",
                name);
}
} // namespace

void readSymbols(Input &input, Model &model) {
  for (const Row &file : input.files("symbols"))
    model.symbolLibraries.push_back(readLibrary(file, model));
  readDifferences(input, model);
  for (const Row &row : input.rows("api_introduced_in"))
    if (row.text("library") == "cuda_driver")
      readDriverNames(row, model);
  for (const Row &row : input.rows("name_fashions"))
    readFashion(row, model);
  for (const Row &row : input.rows("symbol_replacements"))
    readReplacement(row, model);
  for (const Row &row : input.rows("generated_names"))
    readGeneratedName(row, model);
  for (const Row &row : input.rows("libstdcxx_nodes")) {
    row.asVersion(row.text("gcc"));
    row.require(
        model.libstdcxxNodes.try_emplace(row.text("node").str(), row.text("gcc").str()).second,
        "a node stands twice");
  }
  for (const Row &row : input.rows("python_limited_api"))
    readLimitedApi(row, model);
}

} // namespace cudacc::tables::generate
