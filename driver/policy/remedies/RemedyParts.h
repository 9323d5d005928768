// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/policy/remedies/Remedies.h"

namespace cudacc::policy {

/// What the functions that propose remedies share.
struct RemedyCase {
  const ProcessCase &process;
  const RemedyContext &context;
  std::vector<Remedy> remedies;

  /// The reference is valid until the next call.
  Remedy &add(Remedy::Kind kind, std::string text);
};

/// Proposes to raise one wheel of the environment to a version that exports the missing names, to
/// install it if it is absent, or to reinstall it if one of its files is missing.
void wheels(RemedyCase &judged);

/// Whether everything that the remedy installs is what the installed torch requires exactly.
bool restores(const ProcessCase &process, const Remedy &remedy);

} // namespace cudacc::policy
