// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/RuntimeFixes.h"
#include "driver/policy/coherence/GuardCase.h"
#include "driver/support/ShellWord.h"
#include "driver/tables/lookup/Coupling.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using tables::CouplingFit;

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

void judgeFloors(GuardCase &judged) {
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

} // namespace cudacc::policy
