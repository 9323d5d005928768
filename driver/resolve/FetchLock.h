// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/FetchPlan.h"
#include "driver/support/Value.h"
#include "llvm/Support/Error.h"

namespace cudacc::resolve {

/// A plan as it is kept in a fetched toolkit (`fetched.json`) and in a lock file. Its key is made
/// anew. \p place names the file in errors: BrokenFacts if something in it is not as it is written,
/// such as a path that leads out of the archives.
llvm::Expected<core::FetchPlan> readFetchPlan(const support::Value &value, llvm::StringRef place);

/// The toolkits of a lock file, one for each machine. Every part has a sha256.
llvm::Expected<std::vector<core::FetchPlan>> readFetchLock(llvm::StringRef text,
                                                           llvm::StringRef place);

} // namespace cudacc::resolve
