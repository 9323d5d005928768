#include "driver/facts/Libraries.h"
#include "driver/facts/Lookup.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::facts {

using llvm::StringRef;

static const tables::StemRow *findStem(StringRef name) {
  auto rows = tables::stems();
  const auto *it = llvm::lower_bound(rows, name, [](const tables::StemRow &row, StringRef wanted) {
    return tables::str(row.stem) < wanted;
  });
  return it == rows.end() || tables::str(it->stem) != name ? nullptr : it;
}

std::optional<KnownLibrary> libraryByLinkName(StringRef name) {
  const tables::StemRow *row = findStem(name);
  if (!row)
    return std::nullopt;
  return KnownLibrary{tables::str(row->stem), row->archive != 0, LibraryOrigin(row->origin)};
}

std::vector<StringRef> linkNames() {
  std::vector<StringRef> names;
  for (const tables::StemRow &row : tables::stems())
    names.push_back(tables::str(row.stem));
  return names;
}

HeaderProbe headerOf(StringRef linkName) {
  const tables::StemRow *row = findStem(linkName);
  return row ? HeaderProbe{tables::str(row->header), tables::str(row->include)} : HeaderProbe{};
}

bool isInFashionOf(StringRef linkName, StringRef symbol) {
  const tables::StemRow *row = findStem(linkName);
  for (StringRef begins = row ? tables::str(row->begins) : StringRef(); !begins.empty();) {
    auto [begin, others] = begins.split(' ');
    begins = others;
    StringRef rest = symbol;
    if (rest.consume_front(begin) && !rest.empty() &&
        (begin.ends_with("_") || llvm::isUpper(rest.front())))
      return true;
  }
  return false;
}

/// `cusparse` of `libcusparse.so.12.5`, `cudart_static` of `libcudart_static.a`; empty: other text.
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

static llvm::ArrayRef<tables::LibraryRow> rowsOf(StringRef soname) {
  auto rows = tables::libraries();
  auto begin = llvm::lower_bound(rows, soname, [](const tables::LibraryRow &row, StringRef wanted) {
    return tables::str(row.soname) < wanted;
  });
  auto end = std::find_if(begin, rows.end(), [&](const tables::LibraryRow &row) {
    return tables::str(row.soname) != soname;
  });
  return {begin, end};
}

llvm::SmallVector<unsigned, 3> majorsOf(StringRef soname) {
  llvm::SmallVector<unsigned, 3> majors;
  for (const tables::LibraryRow &row : rowsOf(soname))
    if (!llvm::is_contained(majors, row.major))
      majors.push_back(row.major);
  return majors;
}

llvm::SmallVector<StringRef, 2> sonamesOf(StringRef linkName, unsigned major) {
  llvm::SmallVector<StringRef, 2> sonames;
  for (const tables::LibraryRow &row : tables::libraries()) {
    StringRef soname = tables::str(row.soname);
    if (row.major == major && stemOf(soname) == linkName &&
        (sonames.empty() || sonames.back() != soname))
      sonames.push_back(soname);
  }
  return sonames;
}

StringRef distOf(StringRef soname, unsigned major) {
  for (const tables::LibraryRow &row : rowsOf(soname))
    if (row.major == major && row.dist != tables::None)
      return tables::str(tables::dists()[row.dist].name);
  return {};
}

llvm::SmallVector<StringRef, 12> sonamesOf(StringRef dist, const core::Version &version) {
  llvm::SmallVector<StringRef, 12> sonames;
  uint16_t wanted = tables::findDist(dist);
  if (wanted == tables::None)
    return sonames;
  for (const tables::LibraryRow &row : tables::libraries())
    if (row.dist == wanted && tables::covers(row, version))
      sonames.push_back(tables::str(row.soname));
  return sonames;
}

StringRef folderOf(StringRef soname, StringRef dist, const core::Version &version) {
  uint16_t wanted = tables::findDist(dist);
  if (wanted == tables::None)
    return {};
  for (const tables::LibraryRow &row : rowsOf(soname))
    if (row.dist == wanted && tables::covers(row, version))
      return tables::str(row.folder);
  return {};
}

} // namespace cudacc::facts
