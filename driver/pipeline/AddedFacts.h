// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/pipeline/System.h"
#include "driver/probe/toolkit/FactsPackage.h"
#include "driver/tables/lookup/UserTables.h"

namespace cudacc::pipeline {

/// The setting `facts` where no declaration is read: CUDA_CC_FACTS.
core::Setting<std::string> factsVariable(const System &system);

/// Looks for a facts package: the one that \p facts (the setting) names if it is a directory, and
/// those beside the program and in the active environments. The newest is chosen, by its release.
/// Error: the named directory is no package.
llvm::Expected<probe::FactsSearch> findFacts(System &system,
                                             const core::Setting<std::string> &facts);

/// The rows of the declared facts file (F16) and of \p search's package. If the package cannot be
/// read, it is moved to `refused`; it was not the user who named it, or the error is returned.
/// std::nullopt if there is neither.
llvm::Expected<std::optional<tables::UserTables>>
readUserTables(System &system, const core::Setting<std::string> &facts, probe::FactsSearch &search);

/// The same after a search whose findings nobody needs: the target reports them.
llvm::Expected<std::optional<tables::UserTables>>
readUserTables(System &system, const core::Declaration &declaration);

} // namespace cudacc::pipeline
