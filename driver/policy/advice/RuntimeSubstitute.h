// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include "driver/policy/advice/LookAround.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cudacc::policy {

/// Whether the rejected input would be accepted if \p requirement declared the runtime. A fix names
/// only runtimes for which this returns true. Null: cannot be checked; then fixes name every
/// runtime whose library versions suffice.
using Accepts = llvm::function_ref<bool(llvm::StringRef requirement)>;

/// \p target with its libraries replaced by those of the runtime that \p requirement names, from
/// the tables; GPUs, driver, mode and layout are kept. std::nullopt if the requirement cannot be
/// resolved.
std::optional<core::Target> substituteRuntime(const core::Target &target,
                                              llvm::StringRef requirement);

/// Whether \p findings has no errors; facts that could not be determined count as errors.
bool areAccepted(llvm::ArrayRef<core::Finding> findings);

using JudgeUnder = llvm::function_ref<std::vector<core::Finding>(
    const core::Target &target, LookAround lookAround, Accepts accepts)>;
/// The findings of \p judge for \p target, after applyMode(). Fixes name another runtime only if \p
/// judge finds no error for it. Empty if the target is undeclared or `enforce = "off"`.
std::vector<core::Finding> judgeDeclared(const core::Target &target, LookAround lookAround,
                                         JudgeUnder judge);

} // namespace cudacc::policy
