// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Opens.h"
#include "driver/tables/lookup/Tables.h"
#include "driver/versions/Format.h"
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

template <typename T> static bool isOf(const T &row, StringRef package) {
  return llvm::any_of(rows::list(row.packages),
                      [&](uint16_t name) { return rows::str(name) == package; });
}

static versions::Version bound(rows::Text text) {
  return *versions::Version::parse(rows::str(text));
}

static bool isFor(const rows::OpenRow &row, StringRef package,
                  const std::optional<versions::Version> &version) {
  if (!isOf(row, package))
    return false;
  // An unknown version counts as the newest.
  if (!version)
    return row.before == rows::None;
  return (row.from == rows::None || bound(row.from) <= *version) &&
         (row.before == rows::None || *version < bound(row.before));
}

/// `libcudnn_ops.so.9.1` for `libcudnn_ops.so.{2}` and 9.1.0.70.
static std::string withNumbers(StringRef text, const std::optional<versions::Version> &version) {
  auto [before, rest] = text.split('{');
  unsigned count = 0;
  if (!version || rest.consumeInteger(10, count) || !rest.consume_front("}"))
    return text.str();
  std::string numbers;
  for (unsigned i = 0; i != count; ++i)
    numbers += fmt::format("{}{}", i ? "." : "", version->at(i));
  return fmt::format("{}{}{}", before, numbers, rest);
}

static Open openOf(const rows::OpenRow &row, const std::optional<versions::Version> &version) {
  Open open;
  for (uint16_t name : rows::list(row.opens))
    open.opens.push_back(withNumbers(rows::str(name), version));
  open.when = When(row.when);
  open.where = Where(row.where);
  open.isGlobal = row.isGlobal;
  open.missing = Missing(row.missing);
  open.raises = withNumbers(rows::str(row.raises), version);
  open.confidence = Confidence(row.confidence);
  return open;
}

static llvm::SmallVector<Open, 2>
collect(StringRef package, const std::optional<versions::Version> &version,
        llvm::function_ref<bool(const rows::OpenRow &)> isWanted) {
  llvm::SmallVector<Open, 2> found;
  for (const rows::OpenRow &row : rows::opens())
    if (isFor(row, package, version) && isWanted(row))
      found.push_back(openOf(row, version));
  return found;
}

llvm::SmallVector<Open, 2>
opensOf(StringRef package, const std::optional<versions::Version> &version, StringRef file) {
  return collect(package, version, [&](const rows::OpenRow &row) {
    return llvm::any_of(rows::list(row.files),
                        [&](uint16_t name) { return matchesPattern(rows::str(name), file); });
  });
}

llvm::SmallVector<Open, 2> allOpensOf(StringRef package,
                                      const std::optional<versions::Version> &version) {
  return collect(package, version,
                 [](const rows::OpenRow &row) { return Where(row.where) != Where::Search; });
}

llvm::SmallVector<Open, 2> opensFor(StringRef package,
                                    const std::optional<versions::Version> &version) {
  return collect(package, version, [](const rows::OpenRow &row) { return row.dependents != 0; });
}

bool hasVersionRules(StringRef package) {
  return llvm::any_of(rows::versionRules(),
                      [&](const rows::VersionRuleRow &row) { return isOf(row, package); });
}

llvm::SmallVector<VersionRule, 2> versionRulesOf(StringRef package,
                                                 const versions::Version &version) {
  llvm::SmallVector<VersionRule, 2> found;
  if (version.isPreRelease() || !version.local.empty())
    return found;
  for (const rows::VersionRuleRow &row : rows::versionRules()) {
    if (!isOf(row, package) || version < bound(row.from) || bound(row.to) < version)
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
