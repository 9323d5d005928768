// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/Diagnostic.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace cudacc::policy {

/// Findings after the declared severities, waivers and forward compatibility assumption were
/// applied.
struct Overridden {
  /// Findings that were not waived, in their original order.
  std::vector<core::Finding> findings;
  /// Waived findings, turned into remarks that state the reason.
  std::vector<core::Finding> waived;
  /// Indices into Declaration::waive of the waivers that matched a finding; may contain duplicates.
  std::vector<size_t> used;
};

/// Whether the declaration has anything that can change findings. Called before every verdict.
inline bool overrides(const core::Declaration &declaration) {
  return !declaration.severity.empty() || !declaration.waive.empty() ||
         declaration.assumeForwardCompatibility.value;
}

/// Applies the declared overrides; called after applyMode(). \p files: the names by which a waiver
/// can refer to the file that the findings are about. Findings about facts that could not be
/// determined (CodeClass::Unknown) can be neither waived nor lowered (MD-3). A declared severity
/// raises a finding only if the finding has the default severity of its code: a rule that chose a
/// lower one had a reason.
Overridden applyOverrides(const core::Declaration &declaration, llvm::ArrayRef<std::string> files,
                          std::vector<core::Finding> findings);

/// The overrides as the manifest and `target` record them (MD-3): each severity below its code's
/// default, each waiver with its reason, the assumption. Sorted; contains no folders of this
/// machine.
std::vector<std::string> recordedOverrides(const core::Declaration &declaration);

/// MD-2: turns a finding that a driver is too old into a remark; leaves any other unchanged.
void assumeForwardCompatibility(core::Finding &finding);
/// MS-3: the fix that only findings about a driver offer.
std::string assumptionAsFix();

/// MD-3: applies an enforcement mode: `warn` lowers errors to warnings, except usage errors; `off`
/// drops all findings.
std::vector<core::Finding> applyMode(core::Enforce mode, std::vector<core::Finding> findings);

} // namespace cudacc::policy
