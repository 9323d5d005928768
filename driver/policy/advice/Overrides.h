// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/Diagnostic.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace cudacc::policy {

/// Findings under the severities, the waivers and the assumption that are declared.
struct Overridden {
  /// Those that count, in their order.
  std::vector<core::Finding> findings;
  /// Those that were waived, as remarks that say so.
  std::vector<core::Finding> waived;
  /// Indices into Declaration::waive of those that spoke of some finding; may repeat.
  std::vector<size_t> used;
};

/// Something is declared that findings may come out differently by. Asked before every verdict.
inline bool overrides(const core::Declaration &declaration) {
  return !declaration.severity.empty() || !declaration.waive.empty() ||
         declaration.assumeForwardCompatibility.value;
}

/// The last word on findings that a mode was applied to. \p files: by which names a waiver can mean
/// the file that they are about. What is not known stays an error (MD-3). A severity raises only
/// what weighs as much as its rule gives it: where a rule itself says less, it has its reason.
Overridden applyOverrides(const core::Declaration &declaration, llvm::ArrayRef<std::string> files,
                          std::vector<core::Finding> findings);

/// What the manifest and `target` say of it (MD-3): each severity below that of its rule, each
/// waiver with its reason, the assumption; sorted, no folders of this machine.
std::vector<std::string> recordedOverrides(const core::Declaration &declaration);

/// MD-2: a finding that a driver is too old becomes a remark; any other stays as it is.
void assumeForwardCompatibility(core::Finding &finding);
/// MS-3: the fix that only findings about a driver have.
std::string assumptionAsFix();

/// MD-3: what a mode makes of findings. `warn` prints them, `off` drops them; usage errors stay.
std::vector<core::Finding> applyMode(core::Enforce mode, std::vector<core::Finding> findings);

} // namespace cudacc::policy
