// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/coherence/Guard.h"
#include "driver/policy/coherence/GuardCase.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;

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

void judgeVariants(GuardCase &judged) {
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

std::vector<Finding> judgeItems(tables::Side side, llvm::ArrayRef<Item> items,
                                const Target &target) {
  GuardCase judged{side, target, record(items)};
  judgeVariants(judged);
  judgeGroups(judged);
  judgeApiPairs(judged);
  judgeFloors(judged);
  return std::move(judged.findings);
}

} // namespace cudacc::policy
