// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Preloads.h"
#include "driver/tables/lookup/Tables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudacc::tables {

using llvm::StringRef;

bool matchesPattern(StringRef pattern, StringRef text) {
  // On a mismatch, go back to the last star: linear in practice, never exponential.
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

template <typename T>
static bool isFor(const T &row, StringRef package,
                  const std::optional<versions::Version> &version) {
  if (llvm::none_of(rows::list(row.packages),
                    [&](uint16_t name) { return rows::str(name) == package; }))
    return false;
  auto bound = [](rows::Text text) { return *versions::Version::parse(rows::str(text)); };
  // An unknown version counts as the newest.
  if (!version)
    return row.before == rows::None;
  return (row.from == rows::None || bound(row.from) <= *version) &&
         (row.before == rows::None || *version < bound(row.before));
}

static Preload preloadOf(const rows::PreloadRow &row) {
  Preload preload;
  for (uint16_t name : rows::list(row.opens))
    preload.opens.push_back(rows::str(name));
  preload.isGlobal = row.isGlobal;
  preload.isFallback = row.isFallback;
  preload.raises = rows::str(row.raises);
  preload.confidence = Confidence(row.confidence);
  return preload;
}

static llvm::SmallVector<Preload, 2>
collect(StringRef package, const std::optional<versions::Version> &version,
        llvm::function_ref<bool(const rows::PreloadRow &)> isWanted) {
  llvm::SmallVector<Preload, 2> found;
  for (const rows::PreloadRow &row : rows::preloads())
    if (isFor(row, package, version) && isWanted(row))
      found.push_back(preloadOf(row));
  return found;
}

llvm::SmallVector<Preload, 2>
preloadsOf(StringRef package, const std::optional<versions::Version> &version, StringRef path) {
  return collect(package, version, [&](const rows::PreloadRow &row) {
    return llvm::any_of(rows::list(row.files),
                        [&](uint16_t name) { return matchesPattern(rows::str(name), path); });
  });
}

llvm::SmallVector<Preload, 2> allPreloadsOf(StringRef package,
                                            const std::optional<versions::Version> &version) {
  return collect(package, version, [](const rows::PreloadRow &) { return true; });
}

llvm::SmallVector<Preload, 2> preloadsFor(StringRef package,
                                          const std::optional<versions::Version> &version) {
  return collect(package, version, [](const rows::PreloadRow &row) { return row.dependents != 0; });
}

bool hasVersionRules(StringRef package) {
  return llvm::any_of(rows::versionRules(), [&](const rows::VersionRuleRow &row) {
    return llvm::any_of(rows::list(row.packages),
                        [&](uint16_t name) { return rows::str(name) == package; });
  });
}

llvm::SmallVector<VersionRule, 2> versionRulesOf(StringRef package,
                                                 const std::optional<versions::Version> &version) {
  llvm::SmallVector<VersionRule, 2> found;
  for (const rows::VersionRuleRow &row : rows::versionRules()) {
    if (!isFor(row, package, version))
      continue;
    VersionRule &rule = found.emplace_back();
    for (uint16_t name : rows::list(row.files))
      rule.files.push_back(rows::str(name));
    rule.library = rows::str(row.library);
    rule.least = rows::str(row.least);
    rule.line = {row.major, row.minor};
    rule.raises = rows::str(row.raises);
    rule.confidence = Confidence(row.confidence);
  }
  return found;
}

} // namespace cudacc::tables
