// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/matrix/FewestSets.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::plan {

using llvm::BitVector;

namespace {

class Search {
public:
  Search(llvm::ArrayRef<BitVector> sets) : sets(sets) {}

  /// The least choice of at most \p most sets that have all of \p missing; empty if none has.
  std::vector<unsigned> choose(const BitVector &missing, unsigned most) {
    best.clear();
    chosen.clear();
    descend(missing, most);
    return best;
  }

private:
  llvm::ArrayRef<BitVector> sets;
  std::vector<unsigned> chosen, best;

  void descend(const BitVector &missing, unsigned most) {
    int item = missing.find_first();
    if (item < 0) {
      std::vector<unsigned> ordered = chosen;
      llvm::sort(ordered);
      if (best.empty() || ordered < best)
        best = std::move(ordered);
      return;
    }
    if (most == 0)
      return;
    // One of the sets that have this item is in every choice.
    for (unsigned at = 0; at < sets.size(); ++at) {
      if (!sets[at].test(item))
        continue;
      BitVector rest = missing;
      rest.reset(sets[at]);
      chosen.push_back(at);
      descend(rest, most - 1);
      chosen.pop_back();
    }
  }
};

} // namespace

std::vector<unsigned> fewestSets(llvm::ArrayRef<BitVector> sets) {
  if (sets.empty())
    return {};
  BitVector all = sets.front();
  for (const BitVector &set : sets)
    all |= set;
  if (all.none())
    return {};
  Search search(sets);
  for (unsigned most = 1;; ++most)
    if (std::vector<unsigned> found = search.choose(all, most); !found.empty())
      return found;
}

} // namespace cudacc::plan
