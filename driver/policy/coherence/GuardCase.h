// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/policy/coherence/Guard.h"
#include <set>

namespace cudacc::policy {

/// State that the rules share while one set of items is judged.
struct GuardCase {
  const core::Target &target;
  const GuardOptions &options;
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

/// `12.8`; `not known` for 0.0.
std::string lineText(versions::CudaVersion line);

/// RL-8, RL-7: wheels and libraries of another CUDA major on the run side.
void judgeVariants(GuardCase &judged);
/// CN-1; and TG-3 for the device compiler of the build side.
void judgeConstraint(GuardCase &judged);
void judgeToolkitItems(GuardCase &judged);
/// RL-3, RL-5: groups whose members must be of one release; RL-6: headers and their library.
void judgeGroups(GuardCase &judged);
void judgeApiPairs(GuardCase &judged);
/// RL-4, RL-9.
void judgeFloors(GuardCase &judged);
/// PL-1 to PL-7.
void judgePipes(GuardCase &judged, llvm::ArrayRef<Pipe> pipes);
/// DR-1 to DR-8.
void judgeDrivers(GuardCase &judged, const DriverFacts &driver, versions::CudaVersion ptxOnly);

} // namespace cudacc::policy
