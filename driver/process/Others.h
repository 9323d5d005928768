// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/loader/search/Tree.h"
#include "driver/policy/rules/JudgeBinary.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudacc::process {

/// The dependencies of a file outside NVIDIA's libraries and the system's, direct and indirect.
/// \p pathOf: the path that the process takes for a library name; std::nullopt if unknown. \p
/// passesOver: libraries to leave out, together with what only they need; null: none.
policy::Others othersOf(loader::Tree &tree, const core::BinaryFacts &file,
                        llvm::function_ref<std::optional<std::string>(llvm::StringRef)> pathOf,
                        llvm::function_ref<bool(llvm::StringRef)> passesOver = nullptr);

} // namespace cudacc::process
