// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/cache/Store.h"
#include "driver/core/Declaration.h"
#include "driver/core/Target.h"
#include "driver/pipeline/AddedFacts.h"
#include "driver/versions/Machine.h"

namespace cudacc::pipeline {

/// Resolves the declaration, reading the environments and lock files that it names. The result is
/// kept in \p store and reused until one of its inputs changes. \p machine: the machine built for;
/// a lock file may pin other versions for another machine.
llvm::Expected<core::Target>
resolveDeclaration(System &system, cache::Store &store, const core::Declaration &declaration,
                   const versions::Machine &machine = versions::ownMachine());

/// Absolute prefix of the environment `env:PATH`; of the active one if \p path is empty. Errors: no
/// environment is active, or two are.
llvm::Expected<std::string> environmentPrefix(System &system, llvm::StringRef path);

} // namespace cudacc::pipeline
