// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include "driver/policy/advice/LookAround.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cudacc::policy {

/// Whether what was refused is accepted once a requirement declares the runtime. A fix names only
/// runtimes of which this is true. Null: nobody can tell, and every runtime that serves is named.
using Accepts = llvm::function_ref<bool(llvm::StringRef requirement)>;

/// The runtime of \p requirement, by the tables, in place of what declares the libraries of
/// \p target: GPUs, driver, mode and layout stay. Nothing: there is none.
std::optional<core::Target> substituteRuntime(const core::Target &target,
                                              llvm::StringRef requirement);

/// No error among them, neither a broken rule nor a fact that could not be determined.
bool areAccepted(llvm::ArrayRef<core::Finding> findings);

using JudgeUnder = llvm::function_ref<std::vector<core::Finding>(
    const core::Target &target, LookAround lookAround, Accepts accepts)>;
/// What \p judge finds under \p target, as its mode has it; its fixes name a runtime only if it
/// finds no error under that. Nothing for an undeclared target and `enforce = "off"`.
std::vector<core::Finding> judgeDeclared(const core::Target &target, LookAround lookAround,
                                         JudgeUnder judge);

} // namespace cudacc::policy
