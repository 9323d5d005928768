#include "driver/facts/Coupling.h"
#include "driver/facts/Lookup.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::facts {

llvm::SmallVector<Need, 4> needsOf(llvm::StringRef soname, llvm::StringRef dist,
                                   const core::Version &version) {
  llvm::SmallVector<Need, 4> needs;
  if (const tables::CouplingRow *run = tables::runOf(tables::couplings(), soname, dist, version))
    for (const tables::NeedRow &need : tables::needsOf(*run))
      needs.push_back({tables::str(need.soname), Reach(need.reach)});
  return needs;
}

static Coupling couplingOf(const tables::FloorRow &row) {
  Coupling coupling;
  coupling.soname = tables::str(row.needs);
  if (row.needsDist != tables::None)
    coupling.dist = tables::str(tables::dists()[row.needsDist].name);
  coupling.reach = Reach(row.reach);
  coupling.sameWheel = row.sameWheel;
  coupling.minVersion = tables::versionText(row.least);
  coupling.oldestOpened = row.oldestOpened;
  for (uint16_t text : tables::list(row.deciding))
    coupling.deciding.push_back(tables::str(text));
  for (uint16_t text : tables::list(row.missingLater))
    coupling.missingLater.push_back(tables::str(text));
  auto gaps = tables::list(row.notInLater);
  for (size_t i = 0; i + 1 < gaps.size(); i += 2)
    coupling.notInLater.emplace_back(tables::versionText(gaps[i]),
                                     tables::versionText(gaps[i + 1]));
  coupling.confidence = Confidence(row.confidence);
  return coupling;
}

llvm::SmallVector<Coupling, 4> couplingsOf(llvm::StringRef soname, llvm::StringRef dist,
                                           const core::Version &version) {
  llvm::SmallVector<Coupling, 4> couplings;
  for (const tables::FloorRow &row : tables::runsOf(tables::floors(), soname))
    if (tables::isDist(row.dist, dist) && tables::contains(row.from, row.to, version))
      couplings.push_back(couplingOf(row));
  llvm::stable_sort(couplings,
                    [](const Coupling &a, const Coupling &b) { return a.soname < b.soname; });
  return couplings;
}

CouplingFit fits(const Coupling &coupling, const core::Version &provider) {
  // X.post1 is X: what X lacks, it lacks.
  core::Version release = provider;
  release.post.reset();
  auto compare = [&](llvm::StringRef text) {
    auto known = *core::Version::parse(text);
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

} // namespace cudacc::facts
