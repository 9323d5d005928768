// SPDX-License-Identifier: Apache-2.0
#include "driver/loader/binding/Binding.h"
#include "llvm/ADT/SmallVector.h"

namespace cudacc::loader {

std::vector<size_t> breadthFirst(llvm::ArrayRef<Mapped> objects, size_t root) {
  std::vector<bool> seen(objects.size());
  std::vector<size_t> order{root};
  seen[root] = true;
  for (size_t at = 0; at != order.size(); ++at)
    for (size_t need : objects[order[at]].needs)
      if (!seen[need]) {
        seen[need] = true;
        order.push_back(need);
      }
  return order;
}

namespace {
/// A visit in progress; `next` indexes the next NEEDED object.
struct Visit {
  size_t object, next = 0;
};
} // namespace

/// As glibc's _dl_sort_maps_dfs: from the last object of the group to the first, the list is filled
/// from the back, dependencies before the object itself. At that time glibc does not know the
/// dependencies of the first object, which is moved to the front at the end. Only objects of the
/// group are visited.
std::vector<size_t> sorted(llvm::ArrayRef<Mapped> objects, llvm::ArrayRef<size_t> group) {
  std::vector<bool> seen(objects.size()), inGroup(objects.size());
  for (size_t object : group)
    inGroup[object] = true;
  std::vector<size_t> backwards;
  llvm::SmallVector<Visit> visits;
  for (size_t at = group.size(); at-- != 0;) {
    if (seen[group[at]])
      continue;
    seen[group[at]] = true;
    visits.push_back({group[at]});
    while (!visits.empty()) {
      Visit &visit = visits.back();
      const std::vector<size_t> &needs = objects[visit.object].needs;
      bool isRoot = visit.object == group.front();
      if (isRoot || visit.next == needs.size()) {
        if (inGroup[visit.object])
          backwards.push_back(visit.object);
        visits.pop_back();
        continue;
      }
      size_t need = needs[visit.next++];
      if (!seen[need] && inGroup[need]) {
        seen[need] = true;
        visits.push_back({need});
      }
    }
  }
  std::vector<size_t> order(backwards.rbegin(), backwards.rend());
  auto root = std::find(order.begin(), order.end(), group.front());
  std::rotate(order.begin(), root, root + 1);
  return order;
}

} // namespace cudacc::loader
