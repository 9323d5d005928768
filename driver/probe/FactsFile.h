#pragma once

#include "driver/core/Files.h"
#include "driver/facts/Supplement.h"
#include "llvm/Support/Error.h"

namespace cudacc::probe {

/// The supplementary facts file at \p path (F16). Errors, all Code::BrokenFacts or FactsContradict:
/// it cannot be read, is larger than 1 MiB, or is not what facts::readSupplement() reads.
llvm::Expected<facts::Supplement> readFactsFile(llvm::StringRef path, core::Files &files);

} // namespace cudacc::probe
