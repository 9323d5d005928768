// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/policy/coherence/Guard.h"
#include <set>

namespace cudacc::policy {

/// State that the rules share while one set of items is judged.
struct GuardCase {
  tables::Side side;
  const core::Target &target;
  std::vector<Item> items;
  std::vector<core::Finding> findings = {};
  /// Items that a finding rejects on their own, and pairs that a group rule rejects.
  std::set<const Item *> refused = {};
  std::set<std::pair<const Item *, const Item *>> apart = {};

  /// Adds a finding with the default severity of its code. The reference is valid until the next
  /// call.
  core::Finding &add(core::Code code, std::string message);
  /// EO-3: if \p item was rejected on its own, adds a fact that the finding is a consequence of
  /// that.
  void noteConsequence(core::Finding &finding, const Item &item) const;
};

/// RL-8: wheels of another CUDA major.
void judgeVariants(GuardCase &judged);
/// RL-3, RL-5: groups whose members must be of one release; RL-6: headers and their library.
void judgeGroups(GuardCase &judged);
void judgeApiPairs(GuardCase &judged);
/// RL-4, RL-9.
void judgeFloors(GuardCase &judged);

} // namespace cudacc::policy
