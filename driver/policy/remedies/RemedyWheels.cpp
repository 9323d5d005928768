// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/Versions.h"
#include "driver/policy/remedies/RemedyParts.h"
#include "driver/policy/rules/BinaryCase.h"
#include "driver/support/ShellWord.h"
#include "driver/support/Text.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Symbols.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace support;
using namespace versions;
using llvm::StringRef;

static std::string priceOf(const ProcessCase &process, StringRef dist, StringRef version) {
  std::string pin = process.installed ? pinnedByTorch(*process.installed, dist) : "";
  if (pin.empty() || pin == version)
    return {};
  return fmt::format(
      "torch {} requires {}: pip reports it, and the next install of torch reverts it",
      process.installed->torch, pin);
}

bool restores(const ProcessCase &process, const Remedy &remedy) {
  return process.installed && !remedy.change.wheels.empty() &&
         llvm::all_of(remedy.change.wheels, [&](const auto &wheel) {
           return pinnedByTorch(*process.installed, wheel.first) == wheel.second;
         });
}

/// The conda package that installed the row's file; empty if none did.
static StringRef condaPackageOf(const RemedyCase &judged, const TargetLibrary &row) {
  if (!row.folder.empty() || judged.context.conda.empty())
    return {};
  for (const FoundCopy &copy : judged.process.copies)
    if (copy.path == row.path)
      return copy.dist;
  return {};
}

/// The installed version according to the metadata; empty if there is none.
static StringRef claimedOf(const RemedyCase &judged, StringRef dist) {
  for (const InstalledDistribution &each : judged.context.claimed)
    if (each.name == dist)
      return each.version;
  return {};
}

/// Arguments for pip. If the metadata already claims that version, pip must be forced to reinstall.
static std::string wordOf(const RemedyCase &judged, StringRef dist, StringRef version) {
  bool isClaimed = !version.empty() && claimedOf(judged, dist) == version;
  return (isClaimed ? "--force-reinstall --no-deps " : "") +
         shellWord(fmt::format("{}=={}", dist, version));
}

static void install(RemedyCase &judged, std::string text, std::string what, StringRef dist,
                    StringRef version) {
  Remedy &remedy = judged.add(Remedy::Kind::Wheel, std::move(text));
  remedy.commands = {fmt::format("{} {}", judged.context.pip, what)};
  remedy.price = priceOf(judged.process, dist, version);
  remedy.change.wheels.emplace_back(dist.str(), version.str());
}

/// Proposes the version that torch requires, else the lowest known one, of a wheel whose library
/// the framework refuses.
static void raiseRefused(RemedyCase &judged) {
  const ProcessCase &process = judged.process;
  for (const RefusedLibrary &each : refusedLibraries(versionCaseOf(process))) {
    const TargetLibrary *row =
        process.installed ? process.installed->find(each.copy->name) : nullptr;
    if (!row || row->dist.empty() || row->path != each.copy->path)
      continue;
    std::string version = pinnedByTorch(*process.installed, row->dist);
    for (const Version &known : tables::versionsOf(row->dist))
      if (version.empty() && known >= each.least)
        version = known.str();
    if (!version.empty())
      install(judged, "raise " + row->dist, wordOf(judged, row->dist, version), row->dist, version);
  }
}

/// Proposes the first version that exports every missing name.
static void raise(RemedyCase &judged) {
  const ProcessCase &process = judged.process;
  std::string soname = blamed(process);
  const TargetLibrary *row = process.installed ? process.installed->find(soname) : nullptr;
  if (!row || row->version.release.empty() || row->dist.empty())
    return;
  // The loader took a copy from elsewhere, and would ignore a newer one in the environment too.
  if (const TargetLibrary *taken = process.target->find(soname); taken && taken->path != row->path)
    return;
  unsigned major = process.installed->line.major;
  auto table = tables::SymbolTable::find(soname, major, row->dist);
  // Prefer the version that the framework requires: pip reports no conflict for it.
  std::string pin = pinnedByTorch(*process.installed, row->dist);
  auto pinned = Version::parse(pin);
  bool serves = pinned && *pinned != row->version && table &&
                llvm::all_of(process.binding->missing, [&](StringRef symbol) {
                  return table->exported(*pinned, symbol) != Exported::No;
                });
  if (serves && condaPackageOf(judged, *row).empty()) {
    install(judged, fmt::format("install what torch {} requires", process.installed->torch),
            wordOf(judged, row->dist, pin), row->dist, pin);
    judged.remedies.back().hasOther = true;
  }
  for (size_t i = 0; table && i != table->size(); ++i) {
    auto version = Version::parse(table->at(i).version);
    bool hasAll = llvm::all_of(process.binding->missing, [&](StringRef symbol) {
      return table->exported(i, symbol) != Exported::No;
    });
    if (!version || *version <= row->version || !hasAll)
      continue;
    // For libraries with a version numbering of their own, the next major is not an upper bound.
    std::string range = ">=" + shortFrom(*table, i);
    if (version->at(0) == major)
      range += fmt::format(",<{}", major + 1);
    if (StringRef package = condaPackageOf(judged, *row); !package.empty()) {
      Remedy &remedy = judged.add(Remedy::Kind::Wheel, fmt::format("raise {}", package));
      remedy.commands = {
          fmt::format("{} {}", judged.context.conda, shellWord((package + range).str()))};
      remedy.change.wheels.emplace_back(row->dist, table->at(i).version.str());
      return;
    }
    std::string requirement = row->dist + range;
    return install(judged, "raise " + row->dist, shellWord(requirement), row->dist,
                   table->at(i).version);
  }
}

static CudaVersion newestLineOf(unsigned major) {
  CudaVersion newest;
  for (CudaVersion line : tables::toolkitLines())
    if (line.major == major)
      newest = line;
  return newest;
}

/// A wheel with the library, as name and version, for a CUDA major that the library belongs to; the
/// environment's major is preferred. std::nullopt if there is none.
static std::optional<std::pair<std::string, std::string>> wheelWith(const RemedyCase &judged,
                                                                    StringRef soname) {
  const ProcessCase &process = judged.process;
  auto majors = tables::majorsOf(soname);
  CudaVersion line = process.installed ? process.installed->line : CudaVersion();
  if (majors.empty())
    return std::nullopt;
  if (!llvm::is_contained(majors, line.major)) {
    unsigned own = majorOf(*process.file);
    line = newestLineOf(llvm::is_contained(majors, own) ? own : majors.back());
  }
  std::string dist = tables::distOf(soname, line.major).str();
  Target none;
  std::string version =
      dist.empty() ? "" : versionFor(process.installed ? *process.installed : none, dist, line);
  bool isKnown = process.installed && process.installed->line.known();
  if (StringRef claimed = claimedOf(judged, dist);
      !claimed.empty() && (version.empty() || !isKnown))
    version = claimed.str();
  if (version.empty())
    return std::nullopt;
  return std::pair(std::move(dist), std::move(version));
}

/// Proposes one command that installs the wheels of all libraries that the file NEEDs and the
/// environment lacks.
static void add(RemedyCase &judged, StringRef missing) {
  const ProcessCase &process = judged.process;
  Change change;
  std::string words, names;
  bool isAgain = true;
  std::vector<StringRef> more;
  auto want = [&](StringRef soname) {
    auto wheel = wheelWith(judged, soname);
    if (!wheel ||
        llvm::any_of(change.wheels, [&](const auto &each) { return each.first == wheel->first; }))
      return;
    const auto &[dist, version] = *wheel;
    bool claimed = claimedOf(judged, dist) == version;
    isAgain &= claimed;
    if (auto parsed = Version::parse(version))
      llvm::append_range(more, tables::neededBy(soname, dist, *parsed));
    words += " " + shellWord(fmt::format("{}=={}", dist, version));
    support::appendItem(names, dist, " and ");
    change.wheels.push_back(std::move(*wheel));
  };
  want(missing);
  // If no wheel has the missing library itself, installing others does not help.
  if (change.wheels.empty())
    return;
  llvm::append_range(more, process.file->needed);
  for (size_t i = 0; i != more.size(); ++i)
    if (StringRef needed = more[i];
        isNvidiaLibrary(needed) && !(process.installed && process.installed->find(needed)))
      want(needed);
  bool anyClaimed = llvm::any_of(change.wheels, [&](const auto &each) {
    return claimedOf(judged, each.first) == each.second;
  });
  Remedy &remedy = judged.add(Remedy::Kind::Wheel,
                              isAgain ? fmt::format("reinstall {}: its files are missing", names)
                                      : fmt::format("install {}", names));
  remedy.commands = {fmt::format("{}{}{}", judged.context.pip,
                                 anyClaimed ? " --force-reinstall --no-deps" : "", words)};
  remedy.change = std::move(change);
}

/// Proposes to reinstall the wheel that \p opener belongs to.
static void again(RemedyCase &judged, StringRef opener) {
  const ProcessCase &process = judged.process;
  for (const FoundCopy &copy : process.copies) {
    if (copy.path != opener || copy.dist.empty() || copy.version.empty())
      continue;
    install(judged, fmt::format("reinstall {}: one of its files is missing", copy.dist),
            "--force-reinstall --no-deps " +
                shellWord(fmt::format("{}=={}", copy.dist, copy.version)),
            copy.dist, copy.version);
  }
}

void wheels(RemedyCase &judged) {
  const ProcessCase &process = judged.process;
  if (judged.context.pip.empty() && judged.context.conda.empty())
    return;
  raise(judged);
  if (process.load->ok()) {
    for (const NotOpened &each : process.load->notOpened)
      if (isOfLibrary(each))
        again(judged, each.opener);
      else
        add(judged, each.library);
    raiseRefused(judged);
    return;
  }
  bool isThere = process.installed && process.installed->find(process.load->missing);
  if (!isThere)
    add(judged, process.load->missing);
}

} // namespace cudacc::policy
