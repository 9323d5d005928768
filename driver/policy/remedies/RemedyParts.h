// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/policy/remedies/Remedies.h"

namespace cudacc::policy {

/// What the kinds of fixes share.
struct RemedyCase {
  const ProcessCase &process;
  const RemedyContext &context;
  std::vector<Remedy> remedies;

  /// Valid until the next.
  Remedy &add(Remedy::Kind kind, std::string text);
};

/// One wheel of the environment: raised to a version that has what is missing, installed where
/// there is none, or installed again where it lost a file.
void wheels(RemedyCase &judged);

/// All that it installs is what the installed torch requires exactly.
bool restores(const ProcessCase &process, const Remedy &remedy);

} // namespace cudacc::policy
