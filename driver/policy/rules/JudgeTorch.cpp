// SPDX-License-Identifier: Apache-2.0
// Compares imports from torch's own libraries with the torch that the runtime has.
#include "driver/policy/rules/BinaryCase.h"
#include "driver/policy/rules/TorchWords.h"
#include "driver/support/Demangled.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "driver/versions/Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;

namespace {

using Names = std::vector<StringRef>;

/// The names that the runtime's torch lacks, by reason.
struct MissingOfTorch {
  /// `strings`: of a C++ string ABI that the runtime's torch does not have.
  Names strings, others;
  /// `unknown`: torch may export them; `elsewhere`: another library may define them.
  Names unknown, elsewhere;
  /// Releases of the runtime that lack one of them, and those for which it could not be determined.
  std::vector<std::string> lacking, unreadable;
  /// The string ABI of the runtime's torch, if `strings` is not empty.
  StringAbi abi = StringAbi::None;
};

class TorchJudge {
public:
  TorchJudge(BinaryCase &judged, const tables::TorchNames *table)
      : judged(judged), table(table), machine(judged.file.machine),
        releases(torchReleasesOf(judged.target)) {}

  void run();

private:
  BinaryCase &judged;
  /// Null only if the installed files are used instead.
  const tables::TorchNames *table;
  uint16_t machine;
  std::vector<RuntimeTorch> releases;
  MissingOfTorch missing;

  bool isInstalled() const { return !judged.input.torchLibraries.empty(); }
  Exported byInstalled(StringRef symbol) const;
  Exported exported(StringRef symbol, const RuntimeTorch &release) const;
  StringAbi abiOf(const RuntimeTorch &release) const;
  Exported beside(StringRef symbol) const { return definedBesideTorch(judged, symbol); }
  void ask(const TorchImports::Name &name);
  void askReleases(StringRef symbol, bool &lacks, bool &isUnknown, StringAbi &abi);
  std::string libraryOf(StringRef symbol) const {
    return table ? table->library(symbol).str() : "";
  }
  TorchCause causeOf(const Names &names) const;
  void report(const Names &names, StringAbi abi);
  void reportUnknown();
  void reportElsewhere();
};

} // namespace

/// An unknown fact does not stop a link: `check` decides later.
static void soften(const BinaryCase &judged, Finding &finding) {
  if (judged.input.atLink || !judged.isLinked())
    finding.severity = Severity::Warning;
}

static void addOnce(std::vector<std::string> &list, const std::string &text) {
  if (!llvm::is_contained(list, text))
    list.push_back(text);
}

Exported TorchJudge::byInstalled(StringRef symbol) const {
  return definedBy(*judged.input.exports, {judged.input.torchLibraries}, symbol);
}

Exported TorchJudge::exported(StringRef symbol, const RuntimeTorch &release) const {
  return isInstalled() ? byInstalled(symbol) : exportedByTorch(*table, symbol, release, machine);
}

StringAbi TorchJudge::abiOf(const RuntimeTorch &release) const {
  return isInstalled() ? stringAbiOf([&](StringRef symbol) { return byInstalled(symbol); })
                       : stringAbiOf(*table, release, machine);
}

/// Looks the name up in every release that the runtime may have.
void TorchJudge::askReleases(StringRef symbol, bool &lacks, bool &isUnknown, StringAbi &abi) {
  for (const RuntimeTorch &release : releases) {
    Exported answer = exported(symbol, release);
    if (answer == Exported::Yes)
      continue;
    if (answer == Exported::Unknown) {
      isUnknown = true;
      addOnce(missing.unreadable, release.shown);
      continue;
    }
    lacks = true;
    addOnce(missing.lacking, release.shown);
    StringAbi its = stringAbiOf(symbol);
    StringAbi has = its == StringAbi::None ? its : abiOf(release);
    if (its != has)
      abi = has;
  }
}

void TorchJudge::ask(const TorchImports::Name &name) {
  bool lacks = false, isUnknown = false;
  StringAbi abi = StringAbi::None;
  askReleases(name.symbol, lacks, isUnknown, abi);
  if (!lacks && !isUnknown)
    return;
  Exported others = beside(name.symbol);
  if (others == Exported::Yes)
    return;
  if (others == Exported::Unknown) {
    // A name that no release exports, or that any library may export, is hardly torch's.
    if ((name.known && name.inFashion) || (isInstalled() && !table && name.inFashion))
      missing.elsewhere.push_back(name.symbol);
    return;
  }
  if (!lacks) {
    // Releases that were not read may export it.
    missing.unknown.push_back(name.symbol);
    return;
  }
  if (abi == StringAbi::None)
    return missing.others.push_back(name.symbol);
  missing.abi = abi;
  missing.strings.push_back(name.symbol);
}

/// How many releases are judged in search of one that an installer may take.
static constexpr unsigned mostProven = 6;

/// Takes releases off the ends of the range until both of them accept the file: an installer takes
/// the newest, or what another package leaves of the range.
static void prove(BinaryCase &judged, TorchRange &range) {
  unsigned tried = 0;
  auto rejects = [&](TorchRange::Release &each) {
    bool isAsked = each.has == Exported::Yes;
    if (isAsked && (++tried > mostProven || !judged.accepts("torch==" + each.release)))
      each.has = Exported::No;
    return each.has != Exported::Yes;
  };
  for (TorchRange::Release &each : llvm::reverse(range.releases))
    if (!rejects(each))
      break;
  for (TorchRange::Release &each : range.releases)
    if (!rejects(each))
      break;
}

TorchCause TorchJudge::causeOf(const Names &names) const {
  TorchCause cause;
  cause.names = names;
  cause.table = table;
  cause.machine = machine;
  cause.torch = missing.lacking.front();
  cause.atLink = judged.input.atLink;
  cause.package = judged.input.package;
  if (!table)
    return cause;
  TorchRange range = torchRangeOf(torchImports(judged.file, table), *table, machine,
                                  [&](StringRef symbol) { return beside(symbol); });
  std::vector<LibraryFloor> floors;
  if (unsigned major = majorOf(judged.file))
    floors = floorsOfNeeded(judged.file, major);
  setServing(cause, std::move(range), floors, judged.input.declared);
  prove(judged, cause.serving);
  return cause;
}

void TorchJudge::report(const Names &names, StringAbi abi) {
  TorchCause cause = causeOf(names);
  cause.abi = abi;
  Finding described = torchFinding(cause);
  Finding &finding = judged.add(described.code, described.message);
  Severity severity = finding.severity;
  finding = std::move(described);
  finding.severity = severity;
  if (releases.size() > 1)
    finding.addFact("lacking", "torch " + llvm::join(missing.lacking, ", "));
  finding.addFact("runtime", judged.target.describe());
  if (!judged.isLinked()) {
    finding.severity = Severity::Warning;
    finding.addFact("but", "not linked yet: a static library may contain it");
  }
}

void TorchJudge::reportUnknown() {
  const Names &names = missing.unknown;
  Finding &finding =
      judged.add(Code::NoExportList, fmt::format("not known whether torch {} has what is imported",
                                                 missing.unreadable.front()));
  finding.library = libraryOf(names.front());
  finding.symbol = names.front().str();
  addNames(names, finding);
  auto first = llvm::find_if(
      releases, [&](const RuntimeTorch &each) { return each.shown == missing.unreadable.front(); });
  const tables::TorchNames::Build *build = table ? table->find(first->release, machine) : nullptr;
  finding.addFact(
      "because",
      isInstalled() ? "the environment's own files could not be read"
      : !build      ? fmt::format("the names of torch {} for {} were not read", first->release,
                                  describeMachine(machine))
      : first->isOtherLine
          ? fmt::format("the table has PyPI's wheel of torch {}; a build for another CUDA "
                        "line may differ in these",
                        first->release)
          : "it depends on the Python version; the table has " + build->pythons);
  finding.addFact("runtime", judged.target.describe());
  finding.addFix("declare the environment itself, env:PATH: the installed files decide");
  soften(judged, finding);
}

void TorchJudge::reportElsewhere() {
  const Names &names = missing.elsewhere;
  Finding &finding = judged.add(Code::NoExportList, "not known whether anything defines " +
                                                        support::shortName(names.front(), 40));
  finding.library = libraryOf(names.front());
  finding.symbol = names.front().str();
  addNames(names, finding);
  if (!missing.lacking.empty())
    finding.addFact("lacks it", "torch " + llvm::join(missing.lacking, ", "));
  Names unreadable;
  for (StringRef needed : judged.file.needed)
    if (!isNvidiaLibrary(needed) && !isSystemLibrary(needed) && !tables::isTorchLibrary(needed))
      unreadable.push_back(needed);
  finding.addFact("because", "not read, and may define it: " + listOf(unreadable));
  finding.addFix("declare the environment itself, env:PATH: the installed files decide");
  soften(judged, finding);
}

void TorchJudge::run() {
  TorchImports imports = torchImports(judged.file, table);
  for (const TorchImports::Name &name : imports.names)
    ask(name);
  if (!missing.strings.empty())
    report(missing.strings, missing.abi);
  if (!missing.others.empty())
    report(missing.others, StringAbi::None);
  if (!missing.unknown.empty())
    reportUnknown();
  if (!missing.elsewhere.empty())
    reportElsewhere();
}

static void reportNoTable(BinaryCase &judged, const TorchTable &table) {
  Finding &finding =
      judged.add(Code::NoExportList, fmt::format("not known whether torch {} has what is imported",
                                                 judged.target.torch));
  finding.addFact("because", table.problem->message);
  llvm::append_range(finding.facts, table.problem->facts);
  finding.fixes = table.problem->fixes;
  finding.addFact("runtime", judged.target.describe());
  finding.addFix("declare the environment itself, env:PATH: the installed files decide");
  soften(judged, finding);
}

void judgeTorchNames(BinaryCase &judged) {
  const Target &target = judged.target;
  // For an environment its files decide; the table only explains the result.
  bool isPlace = !target.sitePackages.empty();
  bool canAsk = isPlace ? !judged.input.torchLibraries.empty() : bool(judged.input.torchTable);
  if (!canAsk || target.torch.empty() || judged.file.kind == BinaryKind::DeviceCode ||
      !mayUseTorch(judged.file))
    return;
  static const TorchTable none;
  const TorchTable &table = judged.input.torchTable ? *judged.input.torchTable : none;
  if (!table.names && !isPlace)
    return reportNoTable(judged, table);
  TorchJudge(judged, table.names).run();
}

} // namespace cudacc::policy
