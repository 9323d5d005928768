// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Manifest.h"
#include "driver/core/Plan.h"
#include "driver/core/Verdict.h"
#include "driver/pipeline/Found.h"
#include "driver/policy/advice/LookAround.h"

namespace cudacc::pipeline {

/// The verdict before anything runs, after declared severities and waivers are applied.
core::Verdict judge(const Call &call, const core::Target &target, const Found &found,
                    policy::LookAround lookAround);

/// What is executed, and how the output of a link is handled.
struct CallPlan {
  core::Plan plan;
  /// Set if the manifest object is linked in: its record, to be completed in the output.
  std::optional<core::LinkRecord> record;
  /// What the link adds NEEDED entries for.
  std::vector<plan::CoupledLibrary> coupled;
  /// What is left out of the link because no file could be kept, such as "no manifest"; else empty.
  std::string lacks;
};

/// \p place: directory for content-addressed files; null if there is none. Error: the manifest of a
/// link is too large.
llvm::Expected<CallPlan> planCall(const Call &call, const core::Target &target, const Found &found,
                                  const std::string *place);

} // namespace cudacc::pipeline
