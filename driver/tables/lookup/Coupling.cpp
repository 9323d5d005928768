// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Coupling.h"
#include "driver/tables/lookup/Lookup.h"
#include "driver/tables/lookup/TextTable.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tables {

llvm::SmallVector<Coupling, 4> couplingsOf(llvm::StringRef soname, llvm::StringRef dist,
                                           const versions::Version &version) {
  static const auto all = rows::readTable<rows::Run<>>("floors");
  llvm::SmallVector<Coupling, 4> couplings;
  for (const rows::Run<> &run : rows::runsOf(all, soname))
    if (run.dist == dist && rows::contains(run.from, run.to, version))
      couplings.push_back(rows::rowOf<Coupling>(run));
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
