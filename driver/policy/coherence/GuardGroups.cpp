// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/coherence/GuardCase.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;
using tables::LibraryOrigin;
using tables::PartKind;
using tables::Side;

namespace {

using Members = std::vector<const Item *>;

StringRef wordOf(PartKind kind) {
  switch (kind) {
  case PartKind::Header:
    return "headers";
  case PartKind::Library:
    return "library";
  case PartKind::Binary:
    return "program";
  case PartKind::Archive:
    return "archive";
  case PartKind::Bitcode:
    return "bitcode";
  }
  return "";
}

/// RL-5: only the toolkit's own copy of CCCL belongs to the group. The version of a wheel is not
/// bounded by the packages that require it, and a checkout differs deliberately.
bool isSeparate(const Item &item, const Members &members) {
  bool floats = item.kind == PartKind::Header && item.name == "cccl" && !item.dist.empty();
  return item.separate || (floats && llvm::any_of(members, [&](const Item *each) {
                             return each->name != "cccl" && each->cuda != item.cuda;
                           }));
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
  Members separate;
  for (const Item *item : all)
    (isSeparate(*item, all) ? separate : lines[item->cuda]).push_back(item);
  for (const Item *item : separate) {
    Finding &note = judged.add(Code::Group, item->name + " was obtained apart from the toolkit");
    note.severity = Severity::Remark;
    note.addFact("not compared", item->describe());
  }
  if (lines.size() < 2)
    return;
  const Item *first =
      *llvm::find_if(all, [&](const Item *each) { return !llvm::is_contained(separate, each); });
  auto other = llvm::find_if(all, [&](const Item *each) {
    return each->cuda != first->cuda && !llvm::is_contained(separate, each);
  });
  Finding &finding =
      judged.add(Code::Group, fmt::format("{} {} and {} {} do not belong together", first->name,
                                          first->cuda, (*other)->name, (*other)->cuda));
  finding.library = first->soname;
  for (const Item *item : all)
    if (!llvm::is_contained(separate, item))
      finding.addFact(wordOf(item->kind).str(), item->describe());
  for (const auto &[line, members] : lines)
    if (members.size() > 1)
      finding.addFact("agree", fmt::format("{}: CUDA {}", namesOf(members), line));
  finding.addFact("rule", fmt::format("all of {} must be of one CUDA minor", group));
  for (const Item *item : all) {
    if (llvm::is_contained(separate, item))
      continue;
    judged.noteConsequence(finding, *item);
    for (const Item *each : all)
      if (item->cuda != each->cuda)
        judged.apart.insert({item, each});
  }
  // The release of the first recorded member is taken as the intended one.
  for (const Item *item : all)
    if (item->cuda != first->cuda && !llvm::is_contained(separate, item))
      judged.refused.insert(item);
}

} // namespace

void judgeGroups(GuardCase &judged) {
  std::vector<std::pair<std::pair<Side, StringRef>, Members>> groups;
  for (const Item &item : judged.items) {
    auto part = tables::partOf(item.side, item.kind, item.name);
    bool compared = item.separate || (item.cuda.known() && item.conflict.empty());
    if (!part || part->group.empty() || !compared)
      continue;
    std::pair key{item.side, part->group};
    auto it = llvm::find_if(groups, [&](const auto &each) { return each.first == key; });
    if (it == groups.end())
      it = groups.insert(groups.end(), {key, {}});
    it->second.push_back(&item);
  }
  for (const auto &[key, members] : groups)
    judgeGroup(judged, key.second, members);
}

static void judgeApiPair(GuardCase &judged, const Item &header, const Item &library) {
  bool across = header.side != library.side;
  // A program is compiled against headers of the build side and loads libraries of the run side.
  if (across && (header.side != Side::Build || library.kind != PartKind::Library))
    return;
  bool major = header.cuda.major != library.cuda.major;
  if (across ? !major && header.cuda <= library.cuda : header.cuda == library.cuda)
    return;
  if (judged.apart.count({&header, &library}))
    return;
  Code code = !across ? Code::Group : major ? Code::HeadersMajor : Code::HeadersNewer;
  Finding &finding = judged.add(code, fmt::format("headers of {} are of CUDA {}, the library of {}",
                                                  library.name, header.cuda, library.cuda));
  finding.library = library.soname;
  finding.addFact("headers", header.describe());
  finding.addFact("library", library.describe());
  finding.addFact("rule", across ? "a library works with headers of its own CUDA minor or an "
                                   "older one of its major"
                                 : "headers and library of one CUDA minor");
  judged.noteConsequence(finding, header);
  judged.noteConsequence(finding, library);
  judged.refused.insert(&header);
}

void judgeApiPairs(GuardCase &judged) {
  for (const Item &header : judged.items) {
    if (header.kind != PartKind::Header || !header.cuda.known())
      continue;
    auto part = tables::partOf(header.side, header.kind, header.name);
    if (!part || part->library.empty())
      continue;
    for (const Item &library : judged.items)
      if (library.kind == PartKind::Library && library.cuda.known() &&
          part->library == library.name)
        judgeApiPair(judged, header, library);
  }
}

} // namespace cudacc::policy
