// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Opens.h"
#include "driver/tables/lookup/TextTable.h"
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

static const std::vector<Open> &allOpens() {
  static const auto all = rows::readTable<Open>("opens");
  return all;
}

static const std::vector<VersionRule> &allVersionRules() {
  static const auto all = rows::readTable<VersionRule>("versionRules");
  return all;
}

static versions::Version bound(StringRef text) { return *versions::Version::parse(text); }

static bool isFor(const Open &row, StringRef package,
                  const std::optional<versions::Version> &version) {
  if (!llvm::is_contained(row.packages, package))
    return false;
  // An unknown version counts as the newest.
  if (!version)
    return row.before.empty();
  return (row.from.empty() || bound(row.from) <= *version) &&
         (row.before.empty() || *version < bound(row.before));
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

static llvm::SmallVector<Open, 2> collect(StringRef package,
                                          const std::optional<versions::Version> &version,
                                          llvm::function_ref<bool(const Open &)> isWanted) {
  llvm::SmallVector<Open, 2> found;
  for (const Open &row : allOpens()) {
    if (!isFor(row, package, version) || !isWanted(row))
      continue;
    Open &open = found.emplace_back(row);
    for (std::string &name : open.opens)
      name = withNumbers(name, version);
    open.raises = withNumbers(open.raises, version);
  }
  return found;
}

llvm::SmallVector<Open, 2>
opensOf(StringRef package, const std::optional<versions::Version> &version, StringRef file) {
  return collect(package, version, [&](const Open &row) {
    return llvm::any_of(row.files, [&](StringRef name) { return matchesPattern(name, file); });
  });
}

llvm::SmallVector<Open, 2> allOpensOf(StringRef package,
                                      const std::optional<versions::Version> &version) {
  return collect(package, version, [](const Open &row) { return row.where != Where::Search; });
}

llvm::SmallVector<Open, 2> opensFor(StringRef package,
                                    const std::optional<versions::Version> &version) {
  return collect(package, version, [](const Open &row) { return row.dependents; });
}

bool hasVersionRules(StringRef package) {
  return llvm::any_of(allVersionRules(), [&](const VersionRule &row) {
    return llvm::is_contained(row.packages, package);
  });
}

llvm::SmallVector<VersionRule, 2> versionRulesOf(StringRef package,
                                                 const versions::Version &version) {
  llvm::SmallVector<VersionRule, 2> found;
  if (!version.isPreRelease() && version.local.empty())
    llvm::copy_if(allVersionRules(), std::back_inserter(found), [&](const VersionRule &row) {
      return llvm::is_contained(row.packages, package) && bound(row.from) <= version &&
             version <= bound(row.to);
    });
  return found;
}

} // namespace cudacc::tables
