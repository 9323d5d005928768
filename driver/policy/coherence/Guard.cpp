// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/coherence/Guard.h"
#include "driver/policy/advice/RuntimeFixes.h"
#include "driver/support/ShellWord.h"
#include "driver/support/Text.h"
#include "driver/tables/lookup/Coupling.h"
#include "driver/tables/lookup/Device.h"
#include "driver/versions/EnumWords.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;
using tables::CouplingFit;
using tables::PartKind;
using tables::Works;

std::string Item::describe() const {
  std::string text =
      fmt::format("{} {}", name, version.release.empty() ? cuda.str() : version.str());
  if (!version.release.empty() && cuda.known())
    text += fmt::format(", CUDA {},", cuda);
  text += " at " + path;
  if (!evidence.empty())
    text += fmt::format(" ({})", evidence);
  return text;
}

namespace {

/// State that the rules share while one set of items is judged.
struct GuardCase {
  tables::Side side;
  const Target &target;
  std::vector<Item> items;
  std::vector<Finding> findings = {};
  /// Items that a finding rejects on their own, and pairs that a group rule rejects.
  std::set<const Item *> refused = {};
  std::set<std::pair<const Item *, const Item *>> apart = {};

  /// Adds a finding with the default severity of its code. The reference is valid until the next
  /// call.
  Finding &add(Code code, std::string message);
  /// EO-3: if \p item was rejected on its own, adds a fact that the finding is a consequence of
  /// that.
  void noteConsequence(Finding &finding, const Item &item) const;
};

} // namespace

Finding &GuardCase::add(Code code, std::string message) {
  return findings.emplace_back(makeFinding(code, std::move(message)));
}

void GuardCase::noteConsequence(Finding &finding, const Item &item) const {
  if (refused.count(&item))
    finding.addFact("consequence", fmt::format("of {}, which is refused by itself", item.name));
}

/// EO-4: an item that is there twice is one entry.
static std::vector<Item> record(llvm::ArrayRef<Item> items) {
  std::vector<Item> all;
  for (const Item &item : items)
    if (!llvm::is_contained(all, item))
      all.push_back(item);
  return all;
}

/// RL-8: wheels of another CUDA major.
static void judgeVariants(GuardCase &judged) {
  CudaVersion line = judged.target.line;
  for (const Item &item : judged.items) {
    if (!item.major || item.major == line.major)
      continue;
    Finding &finding =
        judged.add(Code::Variant, fmt::format("{} is not for CUDA {}",
                                              item.dist.empty() ? item.name : item.dist, line));
    finding.library = item.soname;
    finding.addFact("library", item.path);
    finding.addFact("runtime", judged.target.describe());
    judged.refused.insert(&item);
  }
}

namespace {

using Members = std::vector<const Item *>;

StringRef wordOf(PartKind kind) {
  static constexpr llvm::StringLiteral words[] = {"headers", "library", "program", "archive",
                                                  "bitcode"};
  return versions::entryOf<PartKind::Bitcode>(words, kind);
}

std::string namesOf(const Members &members) {
  std::string text;
  StringRef last;
  for (const Item *each : members)
    if (std::exchange(last, each->name) != each->name)
      support::appendItem(text, each->name);
  return text;
}

void judgeGroup(GuardCase &judged, StringRef group, const Members &all) {
  std::map<CudaVersion, Members> lines;
  for (const Item *item : all)
    lines[item->cuda].push_back(item);
  if (lines.size() < 2)
    return;
  // The release of the first recorded member is taken as the intended one.
  const Item *first = all.front();
  const Item *other =
      *llvm::find_if(all, [&](const Item *each) { return each->cuda != first->cuda; });
  Finding &finding =
      judged.add(Code::Group, fmt::format("{} {} and {} {} do not belong together", first->name,
                                          first->cuda, other->name, other->cuda));
  finding.library = first->soname;
  for (const Item *item : all)
    finding.addFact(wordOf(item->kind).str(), item->describe());
  for (const auto &[line, members] : lines)
    if (members.size() > 1)
      finding.addFact("agree", fmt::format("{}: CUDA {}", namesOf(members), line));
  finding.addFact("rule", fmt::format("all of {} must be of one CUDA minor", group));
  for (const Item *item : all) {
    judged.noteConsequence(finding, *item);
    for (const Item *each : all)
      if (item->cuda != each->cuda)
        judged.apart.insert({item, each});
  }
  for (const Item *item : all)
    if (item->cuda != first->cuda)
      judged.refused.insert(item);
}

} // namespace

/// RL-3, RL-5: groups whose members must be of one release.
static void judgeGroups(GuardCase &judged) {
  std::vector<std::pair<StringRef, Members>> groups;
  for (const Item &item : judged.items) {
    auto part = tables::partOf(judged.side, item.kind, item.name);
    if (!part || part->group.empty() || !item.cuda.known())
      continue;
    auto it = llvm::find_if(groups, [&](const auto &each) { return each.first == part->group; });
    if (it == groups.end())
      it = groups.insert(groups.end(), {part->group, {}});
    it->second.push_back(&item);
  }
  for (const auto &[group, members] : groups)
    judgeGroup(judged, group, members);
}

static void judgeApiPair(GuardCase &judged, const Item &header, const Item &library) {
  if (header.cuda == library.cuda)
    return;
  Finding &finding =
      judged.add(Code::Group, fmt::format("headers of {} are of CUDA {}, the library of {}",
                                          library.name, header.cuda, library.cuda));
  finding.library = library.soname;
  finding.addFact("headers", header.describe());
  finding.addFact("library", library.describe());
  finding.addFact("rule", "headers and library of one CUDA minor");
  judged.noteConsequence(finding, header);
  judged.noteConsequence(finding, library);
  judged.refused.insert(&header);
}

/// RL-6: headers and their library.
static void judgeApiPairs(GuardCase &judged) {
  for (const Item &header : judged.items) {
    if (!header.cuda.known())
      continue;
    auto part = tables::partOf(judged.side, header.kind, header.name);
    if (!part || part->library.empty())
      continue;
    for (const Item &library : judged.items)
      if (library.kind == PartKind::Library && library.cuda.known() &&
          part->library == library.name)
        judgeApiPair(judged, header, library);
  }
}

namespace {

void describePair(GuardCase &judged, Finding &finding, const Item &item, const Item &provider) {
  finding.library = provider.soname;
  finding.addFact("needs", item.describe());
  finding.addFact("has", provider.describe());
  judged.noteConsequence(finding, item);
  judged.noteConsequence(finding, provider);
  judged.refused.insert(&provider);
  judged.apart.insert({&item, &provider});
  judged.apart.insert({&provider, &item});
}

/// Torch's pin if it fits, else every version that does.
std::string fixFor(const GuardCase &judged, const Item &provider,
                   const tables::Coupling &coupling) {
  std::string pin = pinnedByTorch(judged.target, coupling.dist);
  auto pinned = Version::parse(pin);
  std::string wanted = fmt::format(">={}", coupling.minVersion);
  if (pinned && tables::fits(coupling, *pinned) == CouplingFit::Holds)
    wanted = "==" + pin;
  else
    for (const auto &[first, last] : coupling.notInLater)
      if (auto lacking = Version::parse(first); lacking && *lacking <= provider.version)
        wanted = fmt::format(">={},<{}", coupling.minVersion, first);
  bool isWheel = !provider.dist.empty() && !coupling.dist.empty();
  return isWheel ? "pip install " + support::shellWord(fmt::format("{}{}", coupling.dist, wanted))
                 : fmt::format("use {}{}", coupling.soname, wanted);
}

void judgeCoupling(GuardCase &judged, const Item &item, const Item &provider,
                   const tables::Coupling &coupling) {
  // Libraries of one wheel import names of each other that change with every minor release.
  if (coupling.sameWheel && item.version != provider.version) {
    Finding &finding = judged.add(
        Code::Group, fmt::format("{} {} and {} {} come from two releases of one wheel", item.name,
                                 item.version, provider.name, provider.version));
    describePair(judged, finding, item, provider);
    return;
  }
  CouplingFit fit = tables::fits(coupling, provider.version);
  if (fit != CouplingFit::TooOld && fit != CouplingFit::TooNew)
    return;
  bool old = fit == CouplingFit::TooOld;
  auto names = old ? llvm::ArrayRef(coupling.deciding) : llvm::ArrayRef(coupling.missingLater);
  Finding &finding =
      judged.add(Code::Floor, fmt::format("{} {} is {} for {} {}", provider.name, provider.version,
                                          old ? "too old" : "too new", item.name, item.version));
  if (!names.empty()) {
    finding.symbol = names.front().str();
    finding.addFact("lacks", finding.symbol);
  }
  describePair(judged, finding, item, provider);
  finding.addFix(fixFor(judged, provider, coupling));
}

} // namespace

/// RL-4, RL-9.
static void judgeFloors(GuardCase &judged) {
  for (const Item &item : judged.items) {
    if (item.version.release.empty())
      continue;
    for (const tables::Coupling &coupling :
         tables::couplingsOf(item.soname, item.dist, item.version)) {
      // RL-9: a library name among its strings does not prove that the library is opened.
      if (coupling.reach == tables::Reach::Dlopen ||
          coupling.confidence == tables::Confidence::Unverified)
        continue;
      for (const Item &each : judged.items)
        if (&each != &item && each.soname == coupling.soname && !each.version.release.empty() &&
            !judged.apart.count({&item, &each}))
          judgeCoupling(judged, item, each, coupling);
    }
  }
}

std::vector<Finding> judgeItems(tables::Side side, llvm::ArrayRef<Item> items,
                                const Target &target) {
  GuardCase judged{side, target, record(items)};
  judgeVariants(judged);
  judgeGroups(judged);
  judgeApiPairs(judged);
  judgeFloors(judged);
  return std::move(judged.findings);
}

const TargetLibrary *nvJitLinkOf(const Target &target) {
  return target.find(fmt::format("libnvJitLink.so.{}", target.line.major));
}

bool takesLtoIr(CudaVersion producer, CudaVersion consumer) {
  Works measured = tables::nvJitLinkTakes(ImageKind::LtoIr, producer, consumer);
  if (measured != Works::Unknown)
    return measured == Works::Yes;
  if (producer.major == consumer.major)
    return producer <= consumer;
  return producer < consumer &&
         tables::majorsWork(ImageKind::LtoIr, producer.major, consumer.major);
}

} // namespace cudacc::policy
