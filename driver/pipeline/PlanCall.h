// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Manifest.h"
#include "driver/core/Plan.h"
#include "driver/core/Verdict.h"
#include "driver/pipeline/Found.h"
#include "driver/policy/advice/LookAround.h"

namespace cudacc::pipeline {

/// The verdict on a call before anything runs, with the declared severities and waivers.
core::Verdict judge(const Call &call, const core::Target &target, const Found &found,
                    policy::LookAround lookAround);

/// What is done, and what happens to the output of a link.
struct CallPlan {
  core::Plan plan;
  /// The manifest object is linked in: its record, which is completed in the output.
  std::optional<core::LinkRecord> record;
  /// What the link goes without where nothing could be kept: "no manifest"; empty: nothing.
  std::string lacks;
};

/// \p place: where files are kept by content; null: nowhere.
CallPlan planCall(const Call &call, const core::Target &target, const Found &found,
                  const std::string *place);

/// In a toolchain directory its own compilers stand for what nvcc calls, if they are the ones
/// meant.
bool ownCompilersServe(const Call &call, const NvccHost &host);
/// nvcc cannot be given a shim: its link is judged from in front of it.
bool linksWithoutShim(const Call &call, const Found &found, const std::string *place);

} // namespace cudacc::pipeline
