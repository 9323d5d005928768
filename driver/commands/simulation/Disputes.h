// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::commands {

/// Whether the problem of an environment is that several distributions claim a file.
bool isDispute(const core::Finding &problem);
/// Whether it is about the library of that path or name.
bool isAbout(const core::Finding &dispute, llvm::StringRef library);

/// Puts the cure of disputes, and of wheels of another CUDA major, before other fixes of the first
/// error about their library: of the distributions, those are installed again whose versions export
/// the name that is missing.
void addCures(llvm::ArrayRef<core::Finding> problems,
              llvm::MutableArrayRef<core::Finding> findings);

} // namespace cudacc::commands
