// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Lookup.h"
#include "driver/tables/lookup/TextTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::tables {

using llvm::StringRef;

static const rows::StemRow *findStem(StringRef name) {
  return rows::findRow(rows::stems(), &rows::StemRow::stem, name);
}

std::optional<KnownLibrary> libraryByLinkName(StringRef name) {
  const rows::StemRow *row = findStem(name);
  if (!row)
    return std::nullopt;
  return KnownLibrary{rows::str(row->stem), row->archive != 0, LibraryOrigin(row->origin)};
}

std::vector<StringRef> linkNames() {
  std::vector<StringRef> names;
  for (const rows::StemRow &row : rows::stems())
    names.push_back(rows::str(row.stem));
  return names;
}

HeaderProbe headerOf(StringRef linkName) {
  const rows::StemRow *row = findStem(linkName);
  return row ? HeaderProbe{rows::str(row->header), rows::str(row->include)} : HeaderProbe{};
}

bool isInFashionOf(StringRef linkName, StringRef symbol) {
  const rows::StemRow *row = findStem(linkName);
  for (StringRef begins = row ? rows::str(row->begins) : StringRef(); !begins.empty();) {
    auto [begin, others] = begins.split(' ');
    begins = others;
    StringRef rest = symbol;
    if (rest.consume_front(begin) && !rest.empty() &&
        (begin.ends_with("_") || llvm::isUpper(rest.front())))
      return true;
  }
  return false;
}

/// `cusparse` for `libcusparse.so.12.5`, `cudart_static` for `libcudart_static.a`; else empty.
static StringRef stemOf(StringRef file) {
  if (!file.consume_front("lib"))
    return {};
  if (file.consume_back(".a"))
    return file;
  for (size_t at = file.find(".so"); at != StringRef::npos; at = file.find(".so", at + 1))
    if (StringRef rest = file.substr(at + 3); rest.empty() || rest.front() == '.')
      return file.take_front(at);
  return {};
}

std::optional<KnownLibrary> libraryByFileName(StringRef file) {
  auto library = libraryByLinkName(stemOf(file));
  return library && library->archive == file.ends_with(".a") ? library : std::nullopt;
}

static llvm::ArrayRef<rows::LibraryRow> rowsOf(StringRef soname) {
  auto rows = rows::libraries();
  auto it = llvm::lower_bound(
      rows, soname, [](const auto &row, StringRef name) { return rows::str(row.soname) < name; });
  auto end = std::find_if(it, rows.end(),
                          [&](const auto &row) { return rows::str(row.soname) != soname; });
  return {it, end};
}

llvm::SmallVector<unsigned, 3> majorsOf(StringRef soname) {
  llvm::SmallVector<unsigned, 3> majors;
  for (const rows::LibraryRow &row : rowsOf(soname))
    if (!llvm::is_contained(majors, row.major))
      majors.push_back(row.major);
  return majors;
}

bool knowsLibrariesOf(unsigned major) {
  return llvm::any_of(rows::libraries(),
                      [&](const rows::LibraryRow &row) { return row.major == major; });
}

llvm::SmallVector<StringRef, 2> sonamesOf(StringRef linkName, unsigned major) {
  llvm::SmallVector<StringRef, 2> sonames;
  for (const rows::LibraryRow &row : rows::libraries()) {
    StringRef soname = rows::str(row.soname);
    if (row.major == major && stemOf(soname) == linkName &&
        (sonames.empty() || sonames.back() != soname))
      sonames.push_back(soname);
  }
  return sonames;
}

StringRef distOf(StringRef soname, unsigned major) {
  for (const rows::LibraryRow &row : rowsOf(soname))
    if (row.major == major && row.dist != rows::None)
      return rows::str(rows::dists()[row.dist].name);
  return {};
}

llvm::SmallVector<StringRef, 12> sonamesOf(StringRef dist, const versions::Version &version) {
  llvm::SmallVector<StringRef, 12> sonames;
  uint16_t wanted = rows::findDist(dist);
  if (wanted == rows::None)
    return sonames;
  for (const rows::LibraryRow &row : rows::libraries())
    if (row.dist == wanted && rows::covers(row, version))
      sonames.push_back(rows::str(row.soname));
  return sonames;
}

StringRef folderOf(StringRef soname, StringRef dist, const versions::Version &version) {
  uint16_t wanted = rows::findDist(dist);
  if (wanted == rows::None)
    return {};
  for (const rows::LibraryRow &row : rowsOf(soname))
    if (row.dist == wanted && rows::covers(row, version))
      return rows::str(row.folder);
  return {};
}

std::vector<versions::Version> versionsOf(llvm::StringRef dist) {
  std::vector<versions::Version> versions;
  uint16_t index = rows::findDist(dist);
  if (index == rows::None)
    return versions;
  auto add = [&](const auto &row) {
    if (row.dist == index)
      if (auto version = versions::Version::parse(rows::versionText(row.version)))
        versions.push_back(std::move(*version));
  };
  llvm::for_each(rows::wheels(), add);
  // Of some wheels only those are listed whose exports were read.
  llvm::for_each(rows::symbolVersions(), add);
  llvm::sort(versions);
  versions.erase(llvm::unique(versions), versions.end());
  return versions;
}

std::optional<LibraryShape> shapeOf(llvm::StringRef soname, llvm::StringRef dist,
                                    const versions::Version &version) {
  static const auto all = rows::readTable<rows::Run<>>("shapes");
  const rows::Run<> *run = nullptr;
  for (const rows::Run<> &each : rows::runsOf(all, soname))
    if (each.dist == dist && rows::compare(each.from, version) <= 0)
      run = &each;
  if (!run)
    return std::nullopt;
  auto shape = rows::rowOf<LibraryShape>(*run);
  shape.exact = rows::contains(run->from, run->to, version);
  return shape;
}

llvm::SmallVector<llvm::StringRef, 4> neededBy(llvm::StringRef soname, llvm::StringRef dist,
                                               const versions::Version &version) {
  auto shape = shapeOf(soname, dist, version);
  return shape ? std::move(shape->needed) : llvm::SmallVector<llvm::StringRef, 4>();
}

} // namespace cudacc::tables
