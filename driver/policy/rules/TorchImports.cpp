// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/TorchImports.h"
#include "driver/policy/rules/Imports.h"
#include "driver/policy/rules/StableAbi.h"
#include "driver/support/Demangled.h"
#include "driver/tables/lookup/Providers.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;
using tables::TorchNames;

/// Torch's symbols have no version node.
static bool mayBeTorchs(const Import &import) {
  return !import.weak && import.version.empty() && import.file.empty();
}

bool mayUseTorch(const BinaryFacts &file) {
  return llvm::any_of(file.needed, tables::isTorchLibrary) ||
         llvm::any_of(file.imports, [](const Import &import) {
           return mayBeTorchs(import) && tables::isInTorchFashion(import.symbol);
         });
}

/// Symbols that torch's libraries export but do not own: those of the Python executable, of the C++
/// runtime, and of NVIDIA's libraries, parts of which were linked into some releases.
static bool isOfOthers(StringRef symbol) {
  return isOfCxxRuntime(symbol) || symbol.starts_with("Py") || symbol.starts_with("_Py") ||
         !tables::sonamesExporting(symbol, 0).empty();
}

TorchImports torchImports(const BinaryFacts &file, const TorchNames *table) {
  bool needsTorch = llvm::any_of(file.needed, tables::isTorchLibrary);
  TorchImports out;
  for (const Import &import : file.imports) {
    if (!mayBeTorchs(import))
      continue;
    bool inFashion = tables::isInTorchFashion(import.symbol);
    // If the file NEEDs no library of torch, a name must look like torch's and be in the table.
    if (!inFashion && !needsTorch)
      continue;
    bool known = table && table->known(import.symbol);
    if (inFashion ? known || needsTorch : known && !isOfOthers(import.symbol))
      out.names.push_back({import.symbol, known, inFashion});
  }
  return out;
}

static std::string tripleOf(const Version &version) {
  return fmt::format("{}.{}.{}", version.at(0), version.at(1), version.at(2));
}

/// Whether PyPI's wheel of that release is for the CUDA line that the label names.
static bool isDefaultLine(const Version &version) {
  for (const tables::TorchRelease &release : tables::torchReleases())
    if (release.str() == tripleOf(version))
      return version.local.size() == 1 &&
             tables::defaultTorchLine(release).tag == version.local.front();
  return false;
}

std::vector<RuntimeTorch> torchReleasesOf(const Target &target) {
  if (auto version = Version::parse(target.torch)) {
    bool isFinal = !version->isPreRelease() && !version->post;
    bool isOther = !version->local.empty() && !isDefaultLine(*version);
    return {{isFinal ? tripleOf(*version) : target.torch, isOther, target.torch}};
  }
  auto range = SpecifierSet::parse(target.torch);
  std::vector<RuntimeTorch> out;
  if (range)
    for (const tables::TorchRelease &release : tables::torchReleases())
      if (auto version = Version::parse(release.str()); range->contains(*version))
        out.push_back({release.str(), false, release.str()});
  return out;
}

/// A quick filter before parsing the name; may return true for names that mention no string.
static bool mayMentionStrings(StringRef symbol) {
  for (StringRef part : {"__cxx11", "B5cxx11", "Ss", "Sb", "St4list"})
    if (symbol.contains(part))
      return true;
  return false;
}

/// Torch's libraries that differ between builds for different CUDA lines.
static bool dependsOnLine(StringRef library) {
  return library == "libtorch_cuda.so" || library == "libtorch_cuda_linalg.so" ||
         library == "libc10_cuda.so";
}

/// Builds for another CUDA line than PyPI's changed to the new string ABI with 2.6.0, not all at
/// once; before that, none had (dev-discuss.pytorch.org, 2.6 release notes).
static bool mayHaveOtherStrings(const TorchNames::Build &build) {
  auto version = Version::parse(build.release);
  return build.oldStrings && version && *version >= *Version::parse("2.6");
}

Exported exportedByTorch(const TorchNames &table, StringRef symbol, const RuntimeTorch &release,
                         uint16_t machine) {
  Exported answer = table.exported(symbol, release.release, machine);
  if (!release.isOtherLine || answer == Exported::Unknown)
    return answer;
  StringRef library = table.library(symbol);
  if (library.empty() || dependsOnLine(library))
    return Exported::Unknown;
  const TorchNames::Build *build = table.find(release.release, machine);
  return build && mayHaveOtherStrings(*build) && mayMentionStrings(symbol) ? Exported::Unknown
                                                                           : answer;
}

StringAbi stringAbiOf(StringRef symbol) {
  if (!mayMentionStrings(symbol))
    return StringAbi::None;
  std::string name = support::demangled(symbol);
  StringRef text = name;
  if (text.contains("std::__cxx11::") || text.contains("[abi:cxx11]"))
    return StringAbi::New;
  for (StringRef old : {"std::string", "std::basic_string<", "std::list<"})
    if (text.contains(old))
      return StringAbi::Old;
  return StringAbi::None;
}

StringAbi stringAbiOf(const TorchNames &table, const RuntimeTorch &release, uint16_t machine) {
  const TorchNames::Build *build = table.find(release.release, machine);
  if (!build || (release.isOtherLine && mayHaveOtherStrings(*build)))
    return StringAbi::None;
  return build->oldStrings ? StringAbi::Old : StringAbi::New;
}

StringAbi stringAbiOf(DefinedBeside exported) {
  // c10::detail::torchCheckFail(char const*, char const*, unsigned, std::string const&), which
  // every release since 1.8 has.
  if (exported("_ZN3c106detail14torchCheckFailEPKcS2_jRKSs") == Exported::Yes)
    return StringAbi::Old;
  if (exported("_ZN3c106detail14torchCheckFailEPKcS2_jRKNSt7__cxx1112basic_stringIcSt11char_"
               "traitsIcESaIcEEE") == Exported::Yes)
    return StringAbi::New;
  return StringAbi::None;
}

std::string definitionOf(StringAbi abi) {
  return fmt::format("_GLIBCXX_USE_CXX11_ABI={}", abi == StringAbi::Old ? 0 : 1);
}

namespace {
/// The releases of a range, and their indices in the table, `unread` if the table lacks them.
struct Rows {
  static constexpr size_t unread = SIZE_MAX;
  std::vector<TorchRange::Release> releases;
  std::vector<size_t> builds;
};
} // namespace

/// The releases read for the machine, and all known releases newer than the oldest of them.
static Rows rowsFor(const TorchNames &table, uint16_t machine) {
  std::map<Version, size_t> all;
  for (size_t i = 0; i != table.builds().size(); ++i)
    if (table.builds()[i].machine == machine)
      if (auto version = Version::parse(table.builds()[i].release))
        all[*version] = i;
  if (all.empty())
    return {};
  Version oldest = all.begin()->first;
  for (const tables::TorchRelease &release : tables::torchReleases())
    all.try_emplace(*Version::parse(release.str()), Rows::unread);
  all.erase(all.begin(), all.find(oldest));
  Rows rows;
  for (const auto &[version, build] : all) {
    rows.releases.push_back(
        {tripleOf(version), build == Rows::unread ? Exported::Unknown : Exported::Yes});
    rows.builds.push_back(build);
  }
  return rows;
}

TorchRange torchRangeOf(const TorchImports &imports, const TorchNames &table, uint16_t machine,
                        DefinedBeside beside) {
  TorchRange range;
  range.isStable = !imports.names.empty();
  Rows rows = rowsFor(table, machine);
  range.releases = std::move(rows.releases);
  for (const TorchImports::Name &name : imports.names) {
    std::vector<Exported> answers = table.exportedByAll(name.symbol);
    bool isEverywhere = llvm::all_of(rows.builds, [&](size_t build) {
      return build == Rows::unread || answers[build] == Exported::Yes;
    });
    // Most names are exported everywhere; no other library needs to be searched.
    if (!isEverywhere) {
      Exported others = beside(name.symbol);
      bool mayBeOthers = others == Exported::Unknown && !(name.known && name.inFashion);
      if (others == Exported::Yes || mayBeOthers)
        continue;
    }
    ++range.imports;
    range.isStable &= isTorchShim(name.symbol);
    for (auto [release, build] : llvm::zip(range.releases, rows.builds))
      if (build != Rows::unread && (answers[build] == Exported::No || release.has == Exported::Yes))
        release.has = answers[build];
  }
  return range;
}

static TorchRange rangeOfOne(const TorchNames &table, StringRef symbol, uint16_t machine) {
  TorchImports one;
  one.names.push_back({symbol, true, true});
  return torchRangeOf(one, table, machine, [](StringRef) { return Exported::No; });
}

std::string releasesExporting(const TorchNames &table, StringRef symbol, uint16_t machine) {
  TorchRange range = rangeOfOne(table, symbol, machine);
  return range.any() ? range.text() : "";
}

std::string specifierExporting(const TorchNames &table, StringRef symbol, uint16_t machine) {
  return rangeOfOne(table, symbol, machine).specifier();
}

} // namespace cudacc::policy
