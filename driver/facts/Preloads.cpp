#include "driver/facts/Preloads.h"
#include "driver/facts/Tables.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::facts {

using llvm::StringRef;

bool matchesPattern(StringRef pattern, StringRef text) {
  // Back to the last star where the rest does not fit: linear in practice, never exponential.
  size_t p = 0, t = 0, star = StringRef::npos, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p, ++t;
    } else if (star != StringRef::npos) {
      p = star + 1;
      t = ++from;
    } else {
      return false;
    }
  }
  return pattern.drop_front(p).find_first_not_of('*') == StringRef::npos;
}

static bool isFor(const tables::PreloadRow &row, StringRef package,
                  const std::optional<core::Version> &version) {
  if (llvm::none_of(tables::list(row.packages),
                    [&](uint16_t name) { return tables::str(name) == package; }))
    return false;
  if (row.from == tables::None || !version)
    return true;
  return *core::Version::parse(tables::str(row.from)) <= *version;
}

static Preload preloadOf(const tables::PreloadRow &row) {
  Preload preload;
  for (uint16_t name : tables::list(row.opens))
    preload.opens.push_back(tables::str(name));
  preload.isGlobal = row.isGlobal;
  preload.isFallback = row.isFallback;
  preload.source = tables::str(row.source);
  preload.confidence = Confidence(row.confidence);
  return preload;
}

llvm::SmallVector<Preload, 2>
preloadsOf(StringRef package, const std::optional<core::Version> &version, StringRef path) {
  llvm::SmallVector<Preload, 2> found;
  for (const tables::PreloadRow &row : tables::preloads())
    if (isFor(row, package, version) && llvm::any_of(tables::list(row.files), [&](uint16_t name) {
          return matchesPattern(tables::str(name), path);
        }))
      found.push_back(preloadOf(row));
  return found;
}

llvm::SmallVector<Preload, 2> allPreloadsOf(StringRef package,
                                            const std::optional<core::Version> &version) {
  llvm::SmallVector<Preload, 2> found;
  for (const tables::PreloadRow &row : tables::preloads())
    if (isFor(row, package, version))
      found.push_back(preloadOf(row));
  return found;
}

llvm::SmallVector<Preload, 2> preloadsFor(StringRef package,
                                          const std::optional<core::Version> &version) {
  llvm::SmallVector<Preload, 2> found;
  for (const tables::PreloadRow &row : tables::preloads())
    if (row.dependents && isFor(row, package, version))
      found.push_back(preloadOf(row));
  return found;
}

} // namespace cudacc::facts
