// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/coherence/GuardCase.h"
#include "driver/support/Text.h"
#include "driver/versions/EnumWords.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;
using tables::PartKind;

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

void judgeGroups(GuardCase &judged) {
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

void judgeApiPairs(GuardCase &judged) {
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

} // namespace cudacc::policy
