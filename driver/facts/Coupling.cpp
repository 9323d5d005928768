#include "driver/facts/Coupling.h"
#include "driver/facts/Lookup.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::facts {

llvm::SmallVector<Need, 4> needsOf(llvm::StringRef soname, llvm::StringRef dist,
                                   const core::Version &version) {
  llvm::SmallVector<Need, 4> needs;
  uint16_t wanted = tables::findDist(dist);
  auto rows = tables::couplings();
  auto it = llvm::lower_bound(rows, soname, [](const tables::CouplingRow &row, auto name) {
    return tables::str(row.soname) < name;
  });
  const tables::CouplingRow *run = nullptr;
  for (; it != rows.end() && tables::str(it->soname) == soname; ++it)
    if (it->dist == wanted && tables::compare(it->from, version) <= 0)
      run = &*it;
  if (run)
    for (const tables::NeedRow &need : tables::needsOf(*run))
      needs.push_back({tables::str(need.soname), Reach(need.reach)});
  return needs;
}

} // namespace cudacc::facts
