// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/VersionRules.h"
#include "driver/policy/rules/BinaryCase.h"
#include "driver/tables/lookup/Opens.h"
#include "driver/versions/Format.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;

std::string firstCall(bool endsProcess) {
  return endsProcess ? "at its first call, which ends the process" : "at its first call";
}

std::string reasonOf(const LoadedCopy &copy) {
  return copy.broughtBy.empty()
             ? copy.because
             : fmt::format("{} loaded it before: {}", copy.broughtBy, copy.because);
}

/// The copies that a rule can be about: cuDNN's version is that of one of its parts.
static std::vector<const LoadedCopy *> copiesOf(const VersionCase &process, StringRef library) {
  std::vector<const LoadedCopy *> copies;
  for (const LoadedCopy &copy : process.loaded)
    if (tables::matchesPattern(library, copy.name))
      copies.push_back(&copy);
  for (const PartCopy &part : process.parts)
    if (tables::matchesPattern(library, part.soname))
      copies.push_back(&part.copy);
  return copies;
}

static bool isOfRule(const LoadedCopy &copy, const tables::VersionRule &rule) {
  return llvm::any_of(rule.files, [&](StringRef file) {
    return tables::matchesPattern(fmt::format("*/{}", file), copy.path);
  });
}

static std::optional<RefusedLibrary> refusedBy(const tables::VersionRule &rule,
                                               const InstalledDistribution &package,
                                               const VersionCase &process) {
  bool isOfLine = !rule.line.known() || (process.installed && process.installed->line == rule.line);
  auto copies = copiesOf(process, rule.library);
  if (!isOfLine || copies.empty() ||
      llvm::none_of(process.loaded, [&](const LoadedCopy &each) { return isOfRule(each, rule); }))
    return std::nullopt;
  auto has = Version::parse(copies.front()->version);
  auto least = Version::parse(rule.least);
  if (!has || *has >= *least)
    return std::nullopt;
  return RefusedLibrary{copies.front(), &package, *least, rule.raises};
}

std::vector<RefusedLibrary> refusedLibraries(const VersionCase &process) {
  std::vector<RefusedLibrary> refused;
  for (const InstalledDistribution &each : process.distributions) {
    auto version = Version::parse(each.version);
    // Of two installations, it is not known which of them is loaded.
    bool isOne = llvm::count_if(process.distributions, [&](const InstalledDistribution &other) {
                   return other.name == each.name;
                 }) == 1;
    if (!version || !each.isPublished || !isOne)
      continue;
    for (const tables::VersionRule &rule : tables::versionRulesOf(each.name, *version)) {
      // Unverified rows reject nothing.
      if (rule.confidence == tables::Confidence::Unverified)
        continue;
      auto found = refusedBy(rule, each, process);
      if (found && llvm::none_of(refused, [&](const RefusedLibrary &other) {
            return other.copy == found->copy;
          }))
        refused.push_back(std::move(*found));
    }
  }
  return refused;
}

static void addParts(const VersionCase &process, std::vector<Finding> &findings) {
  for (const PartCopy &part : process.parts) {
    auto opener = llvm::find_if(process.loaded,
                                [&](const LoadedCopy &each) { return each.path == part.opener; });
    if (opener == process.loaded.end() || part.lacked.empty())
      continue;
    Finding &out = findings.emplace_back(
        makeFinding(Code::Floor, fmt::format("{} {} opens a {} that lacks {}", opener->name,
                                             opener->version, part.soname, part.lacked.front())));
    out.library = part.soname;
    out.symbol = part.lacked.front();
    out.addFact("taken", part.copy.version.empty()
                             ? part.copy.path
                             : fmt::format("{} at {}", part.copy.version, part.copy.path));
    out.addFact("because", part.copy.because);
    out.addFact("when", firstCall(part.endsProcess));
    if (part.lacked.size() > 1)
      out.addFact("symbols",
                  listOf(std::vector<StringRef>(part.lacked.begin(), part.lacked.end())));
  }
}

std::vector<Finding> judgeVersions(const VersionCase &process) {
  std::vector<Finding> findings;
  addParts(process, findings);
  for (const RefusedLibrary &each : refusedLibraries(process)) {
    const LoadedCopy &copy = *each.copy;
    Finding &out = findings.emplace_back(
        makeFinding(Code::Floor,
                    fmt::format("{} {} refuses {} {}: it needs {}", each.package->name,
                                each.package->version, copy.name, copy.version, each.least.str())));
    out.library = copy.name;
    out.addFact("taken", fmt::format("{} at {}", copy.version, copy.path));
    out.addFact("because", reasonOf(copy));
    out.addFact("raises", each.raises.str());
  }
  return findings;
}

} // namespace cudacc::policy
