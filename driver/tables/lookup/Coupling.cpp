// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Coupling.h"
#include "driver/tables/lookup/Lookup.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tables {

static Coupling couplingOf(const rows::FloorRow &row) {
  Coupling coupling;
  coupling.soname = rows::str(row.needs);
  if (row.needsDist != rows::None)
    coupling.dist = rows::str(rows::dists()[row.needsDist].name);
  coupling.reach = Reach(row.reach);
  coupling.sameWheel = row.sameWheel;
  coupling.minVersion = rows::versionText(row.least);
  coupling.oldestOpened = row.oldestOpened;
  for (uint16_t text : rows::list(row.deciding))
    coupling.deciding.push_back(rows::str(text));
  for (uint16_t text : rows::list(row.missingLater))
    coupling.missingLater.push_back(rows::str(text));
  auto gaps = rows::list(row.notInLater);
  for (size_t i = 0; i + 1 < gaps.size(); i += 2)
    coupling.notInLater.emplace_back(rows::versionText(gaps[i]), rows::versionText(gaps[i + 1]));
  coupling.confidence = Confidence(row.confidence);
  return coupling;
}

llvm::SmallVector<Coupling, 4> couplingsOf(llvm::StringRef soname, llvm::StringRef dist,
                                           const versions::Version &version) {
  llvm::SmallVector<Coupling, 4> couplings;
  for (const rows::FloorRow &row : rows::runsOf(rows::floors(), soname))
    if (rows::isDist(row.dist, dist) && rows::contains(row.from, row.to, version))
      couplings.push_back(couplingOf(row));
  llvm::stable_sort(couplings,
                    [](const Coupling &a, const Coupling &b) { return a.soname < b.soname; });
  return couplings;
}

CouplingFit fits(const Coupling &coupling, const versions::Version &provider) {
  // X.post1 lacks the same names as X.
  versions::Version release = provider;
  release.post.reset();
  auto compare = [&](llvm::StringRef text) {
    auto known = *versions::Version::parse(text);
    return known.post ? known <=> provider : known <=> release;
  };
  if (coupling.minVersion.empty())
    return CouplingFit::Unknown;
  if (compare(coupling.minVersion) > 0)
    return coupling.oldestOpened ? CouplingFit::Unknown : CouplingFit::TooOld;
  for (const auto &[first, last] : coupling.notInLater)
    if (compare(first) <= 0 && compare(last) >= 0)
      return CouplingFit::TooNew;
  return CouplingFit::Holds;
}

} // namespace cudacc::tables
