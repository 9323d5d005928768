// SPDX-License-Identifier: Apache-2.0
#include "driver/report/html/HtmlParts.h"
#include "driver/report/text/CheckParts.h"
#include "driver/report/text/InspectParts.h"
#include "driver/support/Demangled.h"
#include "driver/support/Text.h"
#include "driver/versions/EnumWords.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::report {

using core::Finding;
using core::LoadedBy;
using core::Severity;

static constexpr size_t stepsShown = 200, namesShown = 200;
/// Names in a cell of a table, and the most columns of one.
static constexpr size_t namesInCell = 2, cellWidth = 48;

static void remedyItem(HtmlWriter &html, const HtmlRemedy &remedy) {
  auto item = html.element("li");
  {
    auto line = html.element("p");
    html.text(remedy.text + " ");
    // Fixes were tested and are offered only if they improve the verdict; show what it becomes.
    html.leaf("span", std::string("then: ") + core::str(remedy.after), "note");
  }
  htmlCommands(html, remedy.commands);
  if (!remedy.price.empty())
    html.leaf("p", "But " + remedy.price, "note");
}

void htmlRemedies(HtmlWriter &html, const HtmlFile &file, llvm::StringLiteral level) {
  std::vector<llvm::StringRef> fixes = fixesOf(file.judgement.verdict);
  bool tried = file.process && !file.process->remedies.empty();
  if (!tried && fixes.empty())
    return;
  HtmlSection section(html, level, "What to do first");
  std::string note = file.count > 1 ? fmt::format("For {}; ", runtime(file.judgement)) : "";
  if (tried)
    note += "best first; each was tried in a simulation of this machine:";
  else if (fixes.size() > 1)
    note += "any one of these:";
  else
    note += "one way:";
  note[0] = llvm::toUpper(note[0]);
  html.leaf("p", note, "note");
  auto list = html.element("ol", {{"class", "remedies"}});
  if (!tried)
    for (llvm::StringRef fix : fixes)
      html.leaf("li", fix);
  else
    for (const HtmlRemedy &remedy : file.process->remedies)
      remedyItem(html, remedy);
}

void htmlFindings(HtmlWriter &html, const HtmlFile &file, llvm::StringLiteral level) {
  llvm::ArrayRef<Finding> findings = file.judgement.verdict.findings;
  bool predicted = file.process && !file.process->predicted.empty();
  if (findings.empty() && !predicted)
    return;
  HtmlSection section(html, level, "Why");
  if (file.count > 1)
    html.leaf("p", fmt::format("On {}:", runtime(file.judgement)), "note");
  if (predicted) {
    html.leaf("p", "The loader will say:", "note");
    htmlCommands(html, file.process->predicted.str());
  }
  for (Severity severity : {Severity::Error, Severity::Warning})
    for (const Finding &finding : findings)
      if (finding.severity == severity)
        htmlFinding(html, finding);
  size_t remarks = llvm::count_if(
      findings, [](const Finding &each) { return each.severity == Severity::Remark; });
  if (!remarks)
    return;
  auto details = html.element("details");
  html.leaf("summary", count(remarks, "remark"));
  for (const Finding &finding : findings)
    if (finding.severity == Severity::Remark)
      htmlFinding(html, finding);
}

static std::string because(const core::LoadStep &step) {
  static constexpr llvm::StringLiteral texts[] = {"the file itself",
                                                  "in the process already",
                                                  "the same file is in the process already",
                                                  "asked for by its path",
                                                  "RPATH",
                                                  "LD_LIBRARY_PATH",
                                                  "RUNPATH",
                                                  "the loader's cache",
                                                  "a default directory"};
  llvm::StringRef text = versions::entryOf<core::LoadedBy::Default>(texts, step.by);
  bool isElement = step.by == LoadedBy::Rpath || step.by == LoadedBy::Runpath;
  return isElement ? fmt::format("{} {} of {}", text, step.element, step.elementOf) : text.str();
}

static void steps(HtmlWriter &html, llvm::ArrayRef<core::LoadStep> steps) {
  HtmlRows rows;
  for (const core::LoadStep &step : steps.take_front(stepsShown)) {
    std::string why = because(step);
    if (!step.skipped.empty())
      why += "; passed over: " + llvm::join(step.skipped, ", ");
    bool isRoot = step.by == LoadedBy::Root;
    rows.push_back({{fmt::format("{}", rows.size() + 1)},
                    {isRoot ? step.path : step.name, std::nullopt, true},
                    {isRoot ? why : "found: " + why},
                    {step.path, std::nullopt, true},
                    {step.askedBy, std::nullopt, true}});
  }
  htmlTable(html, "In the loader's order", {"", "asked for", "result", "file", "asked by"}, rows);
  htmlMore(html, steps.size(), stepsShown);
}

/// Writes the end of a search that did not find the file.
static void failure(HtmlWriter &html, const core::LoadResult &load) {
  if (load.ok())
    return;
  {
    auto line = html.element("p");
    html.leaf("span", "not found", "verdict reject");
    html.text(" ");
    html.leaf("code", load.missing);
    if (!load.askedBy.empty())
      html.text(", asked for by " + load.askedBy);
  }
  htmlCommands(html, load.failure);
  std::vector<core::Fact> facts;
  for (const std::string &folder : load.searched)
    facts.push_back({"searched", folder});
  if (load.searched.empty())
    facts.push_back({"searched", "no directory"});
  for (const std::string &skipped : load.skipped)
    facts.push_back({"passed over", skipped});
  htmlFacts(html, facts);
}

/// Rows for the libraries that are in the process.
static HtmlRows copies(const HtmlProcess &process, bool onlyCuda) {
  HtmlRows rows;
  for (const core::LoadedCopy &copy : process.loaded) {
    if ((onlyCuda && !copy.isCuda) || rows.size() == stepsShown)
      continue;
    std::string why =
        copy.broughtBy.empty() ? "found: " + copy.because : "loaded before, by " + copy.broughtBy;
    rows.push_back({{fmt::format("{}", rows.size() + 1)},
                    {copy.name, std::nullopt, true},
                    {copy.version.empty() ? "unknown" : copy.version},
                    {why},
                    {copy.path, std::nullopt, true},
                    {copy.askedBy, std::nullopt, true}});
  }
  return rows;
}

static void processTables(HtmlWriter &html, const HtmlProcess &process) {
  const std::vector<std::string> head = {"", "asked for", "version", "result", "file", "asked by"};
  HtmlRows cuda = copies(process, true), all = copies(process, false);
  htmlTable(html, "CUDA libraries in the process", head, cuda);
  if (cuda.empty())
    html.leaf("p", "No CUDA library is in the process.", "note");
  if (cuda.size() == all.size())
    return;
  auto details = html.element("details");
  html.leaf("summary", "All files of the process, in the loader's order");
  htmlTable(html, "In the loader's order", head, all);
  htmlMore(html, process.loaded.size(), stepsShown);
}

void htmlLoader(HtmlWriter &html, const HtmlFile &file, llvm::StringLiteral level) {
  bool any = file.load || (file.process && !file.process->loaded.empty());
  if (!any)
    return;
  HtmlSection section(html, level, "Search path");
  if (file.process)
    processTables(html, *file.process);
  if (!file.load)
    return;
  if (!file.process) {
    html.leaf("p", fmt::format("As the loader walks it on {}.", runtime(file.judgement)), "note");
    steps(html, file.load->steps);
  }
  failure(html, *file.load);
  std::vector<core::Fact> unknown;
  for (const std::string &clause : file.load->unknown)
    unknown.push_back({"not known", clause});
  htmlFacts(html, unknown);
}

/// The fact of the finding with \p label. Empty if there is none.
static std::string factOf(const Finding &finding, llvm::StringRef label) {
  for (const core::Fact &fact : finding.facts)
    if (fact.label == label)
      return fact.text;
  return {};
}

/// The symbols that the finding is about.
static std::vector<llvm::StringRef> namesOf(const Finding &finding) {
  std::vector<llvm::StringRef> names;
  for (const core::Fact &fact : finding.facts)
    if (fact.label == "symbols")
      for (llvm::StringRef name : llvm::split(fact.text, ", "))
        names.push_back(name);
  if (names.empty())
    names.push_back(finding.symbol);
  return names;
}

/// A few names, short enough for a column of a table.
static std::string shortened(llvm::ArrayRef<llvm::StringRef> names) {
  std::string text;
  for (llvm::StringRef name : names.take_front(namesInCell))
    support::appendItem(text, support::shortName(name, cellWidth));
  if (names.size() > namesInCell)
    text += fmt::format(" and {} more", names.size() - namesInCell);
  return text;
}

static HtmlRows missing(const core::Verdict &verdict) {
  HtmlRows rows;
  for (const Finding &finding : verdict.findings) {
    if (finding.symbol.empty() || finding.severity == Severity::Remark)
      continue;
    std::string first = factOf(finding, "first in");
    if (first.empty())
      first = factOf(finding, "exported by");
    std::string has = factOf(finding, "has");
    rows.push_back({{"", core::Verdict{{finding}}.outcome()},
                    {shortened(namesOf(finding)), std::nullopt, true},
                    {finding.library, std::nullopt, true},
                    {first.empty() ? "not known" : first},
                    {has.empty() ? factOf(finding, "taken") : has}});
  }
  llvm::stable_sort(rows, [](const auto &left, const auto &right) {
    return badness(*left[0].verdict) > badness(*right[0].verdict);
  });
  return rows;
}

static HtmlRows floors(const core::Judgement &judgement) {
  HtmlRows rows;
  for (const core::LibraryFloor *floor : newestFirst(judgement.floor)) {
    std::string least = floor->known() ? floor->least.str() : "unknown";
    if (floor->known() && floor->oldestOpened)
      least += " or older";
    rows.push_back(
        {{floor->soname, std::nullopt, true},
         {fmt::format("{}", floor->imports)},
         {least},
         {floor->cuda.known() ? floor->cuda.str() : "own numbers"},
         {shortened(std::vector<llvm::StringRef>(floor->deciding.begin(), floor->deciding.end())),
          std::nullopt, true},
         {floor->requirement, std::nullopt, true}});
  }
  return rows;
}

/// Writes all names that the file imports from one library.
static void names(HtmlWriter &html, const core::BinaryFacts &facts, llvm::StringRef soname) {
  std::vector<std::string> names;
  for (const core::Import &import : facts.imports)
    if (import.file == soname || import.version == soname)
      names.push_back(import.symbol + (import.weak ? " (weak)" : ""));
  if (names.empty())
    return;
  llvm::sort(names);
  auto details = html.element("details");
  html.leaf("summary", fmt::format("{} of {}", count(names.size(), "name"), soname));
  size_t left = names.size() > namesShown ? names.size() - namesShown : 0;
  names.resize(names.size() - left);
  htmlCommands(html, names);
  if (left)
    html.leaf("p", fmt::format("and {} more", left), "note");
}

/// Writes all names that the runtime lacks, as the file has them.
static void missingNames(HtmlWriter &html, const core::Verdict &verdict) {
  std::vector<std::string> names;
  for (const Finding &finding : verdict.findings)
    if (!finding.symbol.empty() && finding.severity != Severity::Remark)
      for (llvm::StringRef name : namesOf(finding))
        names.push_back(name.str());
  bool isShown = names.size() == 1 && !support::isMangled(names.front());
  if (names.empty() || isShown)
    return;
  auto details = html.element("details");
  html.leaf("summary", fmt::format("{} in full", count(names.size(), "missing name")));
  htmlCommands(html, names);
}

void htmlSymbols(HtmlWriter &html, const HtmlFile &file, llvm::StringLiteral level) {
  HtmlRows lacking = missing(file.judgement.verdict), needed = floors(file.judgement);
  if (lacking.empty() && needed.empty())
    return;
  HtmlSection section(html, level, "Symbols");
  htmlTable(html, "Missing on " + runtime(file.judgement),
            {"", "name", "library", "first version that has it", "runtime has"}, lacking);
  missingNames(html, file.judgement.verdict);
  htmlTable(html, "Minimum versions that have all names",
            {"library", "names", "at least", "CUDA", "because of", "wheel"}, needed);
  if (file.facts)
    for (const core::LibraryFloor *floor : newestFirst(file.judgement.floor))
      names(html, *file.facts, floor->soname);
}

static constexpr size_t unitsShown = 60;

void htmlDevice(HtmlWriter &html, const core::DeviceCode &device, llvm::StringLiteral level) {
  std::vector<core::Fact> facts;
  for (const std::string &section : device.otherSections)
    facts.push_back({"in other sections", section});
  for (const auto *problems :
       {&device.brokenWrappers, &device.unknown, &device.limits, &device.disagreements})
    for (const std::string &problem : *problems)
      facts.push_back({"problem", problem});
  if (device.units.empty() && facts.empty())
    return;
  HtmlSection section(html, level, "Device code");
  HtmlRows rows;
  for (const core::DeviceUnit &unit : device.units)
    if (rows.size() < unitsShown)
      rows.push_back({{fmt::format("{}x", unit.count)}, {unitText(unit)}});
  htmlTable(html, "Containers of images", {"count", "images"}, rows);
  htmlMore(html, device.units.size(), unitsShown);
  htmlFacts(html, facts);
}

static void linkFacts(const core::LinkRecord &link, std::vector<core::Fact> &facts) {
  std::vector<std::string> built = builtWith(link);
  if (!built.empty())
    facts.push_back({"built with", llvm::join(built, ", ")});
  if (!link.enforce.empty())
    facts.push_back({"enforce", link.enforce});
  if (link.develop)
    facts.push_back({"develop", "its search path names directories of the build machine"});
  if (link.waivers)
    for (const std::string &waiver : *link.waivers)
      facts.push_back({"waived", waiver});
  for (const auto &[soname, version] : link.floor)
    facts.push_back({"floor", fmt::format("{} >= {}", soname, version)});
  if (!link.torch.empty())
    facts.push_back({"torch", link.torch});
}

void htmlManifest(HtmlWriter &html, const core::Manifest &manifest, llvm::StringLiteral level) {
  HtmlSection section(html, level, "Manifest");
  if (manifest.empty() && manifest.problems.empty())
    return html.leaf("p", "None in this file.", "note");
  std::vector<core::Fact> facts;
  for (const core::LinkRecord &link : manifest.links) {
    std::string head = targetText(link) + (manifest.sealed ? ", sealed" : ", not sealed");
    facts.push_back({"link", link.tool.empty() ? head : fmt::format("{}, by {}", head, link.tool)});
    linkFacts(link, facts);
  }
  for (const auto &[record, number] : manifest.objects)
    if (facts.size() < unitsShown)
      facts.push_back({"objects", fmt::format("{}x {}", number, recordText(record))});
  for (const std::string &problem : manifest.problems)
    facts.push_back({"problem", problem});
  htmlFacts(html, facts);
}

} // namespace cudacc::report
