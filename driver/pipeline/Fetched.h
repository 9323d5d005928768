// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/core/FetchPlan.h"
#include "driver/pipeline/Call.h"
#include "driver/pipeline/System.h"

namespace cudacc::pipeline {

/// `${XDG_CACHE_HOME:-~/.cache}/cuda-cc`, where fetched toolkits are kept; empty if neither
/// variable gives an absolute path.
std::string cachePlace(const core::Environment &environment);
/// The folder of the toolkits in it.
std::string toolkitsPlace(llvm::StringRef cache);

/// Another user could have put links or files where toolkits are kept, such as the one who called
/// sudo: nothing may be written or removed there.
std::optional<core::Finding> foreignCache(System &system, llvm::StringRef cache);

/// The folder of the toolkit that \p plan describes, if it is there; a folder that is there is
/// whole. Empty if it is not. Errors: another user could have written it.
llvm::Expected<std::string> fetchedToolkit(System &system, llvm::StringRef cache,
                                           const core::FetchPlan &plan);

/// What a link that failed in a directory with a fetched toolkit named, and the toolkit lacks, with
/// the command that adds it. std::nullopt if there is nothing like that.
std::optional<core::Finding> partsNotFetched(System &system, const Call &call,
                                             const core::Target &target);

} // namespace cudacc::pipeline
