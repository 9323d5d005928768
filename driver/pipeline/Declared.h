// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/cache/Store.h"
#include "driver/core/Declaration.h"
#include "driver/core/Target.h"
#include "driver/pipeline/System.h"
#include "driver/tables/lookup/UserTables.h"
#include "driver/versions/Machine.h"

namespace cudacc::pipeline {

/// The rows that the declaration's `facts` adds to the tables (F16); nothing: it names none.
llvm::Expected<std::optional<tables::UserTables>>
readUserTables(System &system, const core::Declaration &declaration);

/// The target of the declaration, with the environments that it names read: once for all calls that
/// share the store, while nothing in them changes. \p machine: what is built for, which a lock may
/// lock other versions for.
llvm::Expected<core::Target>
resolveDeclaration(System &system, cache::Store &store, const core::Declaration &declaration,
                   const versions::Machine &machine = versions::ownMachine());

/// The prefix that `env:PATH` means, absolute; \p path empty: the active environment. Error: none
/// is active, or two are.
llvm::Expected<std::string> environmentPrefix(System &system, llvm::StringRef path);

} // namespace cudacc::pipeline
