// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/policy/rules/JudgeRunning.h"

namespace cudacc::policy {

/// The copy of that name that the process loaded; null if none.
const core::LoadedCopy *copyOf(const ProcessCase &process, llvm::StringRef name);
/// Adds which copy of the library was taken, why, and instead of which.
void addTaken(const ProcessCase &process, llvm::StringRef soname, core::Finding &finding);
/// What the failed binding of the process means.
core::Finding bindingFinding(const ProcessCase &process);

} // namespace cudacc::policy
