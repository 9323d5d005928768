// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/Versions.h"
#include "driver/policy/rules/Imports.h"
#include "driver/policy/rules/JudgeBinary.h"
#include "driver/tables/lookup/Device.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Symbols.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using tables::SymbolTable;

namespace {

/// What the opened versions of a library say about one symbol.
enum class NameStatus { Known, NeverExported, Unknown };

NameStatus statusOf(const SymbolTable &table, llvm::StringRef symbol) {
  if (table.anyExports(symbol))
    return NameStatus::Known;
  // Whether a name was omitted from the tables does not depend on the version.
  return table.exported(0, symbol) == Exported::Unknown ? NameStatus::Unknown
                                                        : NameStatus::NeverExported;
}

bool isIn(const VersionRuns &runs, size_t index) {
  return llvm::any_of(
      runs, [&](const VersionRun &run) { return run.first <= index && index <= run.last; });
}

/// A version specifier for the runs. If the newest versions lack the names, an upper bound excludes
/// them.
std::string requirementOf(const SymbolTable &table, const VersionRuns &runs) {
  const VersionRun &last = runs.back();
  std::string text =
      fmt::format("{}>={}", table.at(last.first).dist, shortFrom(table, runs.front().first));
  bool open = last.last + 1 == table.size();
  Version newest = *Version::parse(table.at(last.last).version);
  text += open ? fmt::format(",<{}", newest.at(0) + 1) : ",<" + shortFrom(table, last.last + 1);
  std::vector<Version> with, without;
  for (size_t i : llvm::seq(runs.front().first, last.last + 1))
    (isIn(runs, i) ? with : without).push_back(*Version::parse(table.at(i).version));
  return text + excluding(without, with);
}

void fill(LibraryFloor &floor, const SymbolTable &table, llvm::ArrayRef<llvm::StringRef> known) {
  VersionRuns runs = runsWith(table, known);
  if (runs.empty()) {
    floor.deciding.assign(known.begin(), known.end());
    return;
  }
  size_t least = runs.front().first;
  tables::SymbolVersion at = table.at(least);
  floor.dist = at.dist.str();
  floor.least = *Version::parse(at.version);
  floor.cuda = at.toolkit;
  floor.oldestOpened = least == 0;
  if (least != 0)
    for (llvm::StringRef symbol : known)
      if (table.exported(least - 1, symbol) != Exported::Yes)
        floor.deciding.push_back(symbol.str());
  for (size_t i : llvm::seq(least, table.size()))
    if (!isIn(runs, i))
      floor.exceptions.push_back(table.at(i).version.str());
  floor.requirement = requirementOf(table, runs);
}

/// A library of the same name in an older CUDA major may have the names, too.
void fillOlderMajors(LibraryFloor &floor, unsigned major, llvm::ArrayRef<llvm::StringRef> known) {
  for (unsigned older : tables::majorsOf(floor.soname)) {
    auto table = older < major ? SymbolTable::find(floor.soname, older) : std::nullopt;
    VersionRuns runs = table ? runsWith(*table, known) : VersionRuns();
    if (!runs.empty()) {
      floor.serves = table->at(runs.front().first).toolkit;
      return;
    }
  }
}

/// The driver's table has only one opened release; driverSince() says when a name was added (F11).
void fillDriver(LibraryFloor &floor, llvm::ArrayRef<LibraryImports::Name> names) {
  CudaVersion newest;
  bool oldest = true;
  for (const LibraryImports::Name &name : names) {
    auto since = tables::driverSince(name.symbol);
    if (!since) {
      floor.unknown.push_back(name.symbol.str());
      continue;
    }
    if (since->cuda > newest) {
      newest = since->cuda;
      oldest = since->atMost;
      floor.deciding.clear();
    }
    if (since->cuda == newest)
      floor.deciding.push_back(name.symbol.str());
  }
  if (!newest.known())
    return;
  floor.cuda = newest;
  floor.oldestOpened = oldest;
  if (oldest)
    floor.deciding.clear();
  if (auto least = Version::parse(tables::firstDriverOf(newest)))
    floor.least = std::move(*least);
}

void narrow(std::optional<llvm::SmallVector<unsigned, 3>> &left, llvm::StringRef soname) {
  auto majors = tables::majorsOf(soname);
  if (majors.empty())
    return;
  if (!left)
    left = majors;
  else
    llvm::erase_if(*left, [&](unsigned major) { return !llvm::is_contained(majors, major); });
}

} // namespace

std::string excluding(llvm::ArrayRef<Version> without, llvm::ArrayRef<Version> with) {
  auto minorOf = [](const Version &version) { return std::pair(version.at(0), version.at(1)); };
  std::string text, last;
  for (const Version &each : without) {
    auto [major, minor] = minorOf(each);
    bool isMinor =
        llvm::none_of(with, [&](const Version &other) { return minorOf(other) == minorOf(each); });
    std::string one =
        isMinor ? fmt::format(",!={}.{}.*", major, minor) : fmt::format(",!={}", each);
    if (one != last)
      text += one;
    last = one;
  }
  return text;
}

std::vector<LibraryFloor> floorsOf(const BinaryFacts &file, unsigned major) {
  std::vector<LibraryFloor> floors;
  for (const LibraryImports &imports : importsByLibrary(file, major)) {
    auto table = SymbolTable::find(imports.soname, major);
    bool driver = tables::isDriverLibrary(imports.soname);
    if (!driver && !llvm::is_contained(tables::majorsOf(imports.soname), major))
      continue;
    LibraryFloor &floor = floors.emplace_back();
    floor.soname = imports.soname;
    floor.imports = imports.names.size();
    std::vector<llvm::StringRef> known, never;
    if (driver) {
      fillDriver(floor, imports.names);
      continue;
    }
    for (const LibraryImports::Name &name : imports.names) {
      // Which library defines such a name depends on the process.
      if (name.because == LibraryImports::Because::Fashion)
        continue;
      NameStatus status = table ? statusOf(*table, name.symbol) : NameStatus::Unknown;
      if (status == NameStatus::Known)
        known.push_back(name.symbol);
      else if (status == NameStatus::NeverExported)
        never.push_back(name.symbol);
      else
        floor.unknown.push_back(name.symbol.str());
    }
    if (!never.empty())
      floor.deciding.assign(never.begin(), never.end());
    else if (!known.empty()) {
      fill(floor, *table, known);
      fillOlderMajors(floor, major, known);
    }
  }
  return floors;
}

LibraryFloor floorOfAny(llvm::StringRef soname, unsigned major) {
  LibraryFloor floor;
  floor.soname = soname.str();
  if (auto table = SymbolTable::find(soname, major))
    fill(floor, *table, {});
  return floor;
}

std::vector<LibraryFloor> floorsOfNeeded(const BinaryFacts &facts, unsigned major) {
  std::vector<LibraryFloor> floors = floorsOf(facts, major);
  for (const std::string &needed : facts.needed) {
    bool known =
        llvm::any_of(floors, [&](const LibraryFloor &each) { return each.soname == needed; });
    if (!known && !tables::distOf(needed, major).empty())
      floors.push_back(floorOfAny(needed, major));
  }
  return floors;
}

std::optional<llvm::SmallVector<unsigned, 3>> majorsOf(const BinaryFacts &file) {
  std::optional<llvm::SmallVector<unsigned, 3>> left;
  narrow(left, file.soname);
  for (const std::string &needed : file.needed)
    narrow(left, needed);
  for (const std::string &versioned : file.versionFiles)
    narrow(left, versioned);
  for (const Import &import : file.imports)
    narrow(left, import.file.empty() ? import.version : import.file);
  return left;
}

unsigned majorOf(const BinaryFacts &file) {
  auto left = majorsOf(file);
  return left && left->size() == 1 ? left->front() : 0;
}

} // namespace cudacc::policy
