#pragma once

#include "driver/report/text/Toolchain.h"
#include "llvm/Support/JSON.h"

namespace cudacc::report {

/// {"schema":1,"directory","did","fingerprint","entries":[{"path","kind","target"}],...}; entries
/// with \p all.
llvm::json::Value toJson(const DirectoryReport &report, bool all);

} // namespace cudacc::report
