// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/tables/lookup/UserTables.h"
#include "llvm/Support/Error.h"

namespace cudacc::probe {

/// Reads the user's facts file at \p path (F16). Errors, all Code::BrokenFacts or FactsContradict:
/// it cannot be read, is larger than 1 MiB, or is rejected by tables::readUserTables().
llvm::Expected<tables::UserTables> readFactsFile(llvm::StringRef path, core::Files &files);

} // namespace cudacc::probe
