// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/policy/coherence/Guard.h"
#include <set>

namespace cudacc::policy {

/// One judgement of items under way: what its rules share.
struct GuardCase {
  const core::Target &target;
  const GuardOptions &options;
  std::vector<Item> items;
  std::vector<core::Finding> findings = {};
  /// Items that some finding refuses, and pairs that a group does.
  std::set<const Item *> refused = {};
  std::set<std::pair<const Item *, const Item *>> apart = {};

  /// A finding with the severity of its class. Valid until the next.
  core::Finding &add(core::Code code, std::string message);
  /// EO-3: what follows from an item that is refused by itself says so.
  void noteConsequence(core::Finding &finding, const Item &item) const;
};

/// `12.8`, `not known`.
std::string lineText(versions::CudaVersion line);

/// RL-8, RL-7: wheels and libraries of another CUDA major on the run side.
void judgeVariants(GuardCase &judged);
/// CN-1; TG-3 for the device compiler of the build side.
void judgeConstraint(GuardCase &judged);
void judgeToolkitItems(GuardCase &judged);
/// RL-3, RL-5: exact groups; RL-6: headers and their library.
void judgeGroups(GuardCase &judged);
void judgeApiPairs(GuardCase &judged);
/// RL-4, RL-9.
void judgeFloors(GuardCase &judged);
/// PL-1 to PL-7.
void judgePipes(GuardCase &judged, llvm::ArrayRef<Pipe> pipes);
/// DR-1 to DR-8.
void judgeDrivers(GuardCase &judged, const DriverFacts &driver, versions::CudaVersion ptxOnly);

} // namespace cudacc::policy
