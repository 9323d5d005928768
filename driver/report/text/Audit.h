// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/AuditReport.h"
#include "driver/report/text/Layout.h"
#include "llvm/Support/JSON.h"

namespace cudacc::report {

/// What `cuda-cc audit` prints: the verdict, then a line as of a compiler per finding, errors
/// first, with its facts below it and its fixes at the end, each said once.
std::string text(const core::AuditReport &report, Style style = {});

/// {"schema":1,"build","findings":[{"code","target","step","file","line","message"}]} and more;
/// form in docs/schema/audit.json.
llvm::json::Value toJson(const core::AuditReport &report);

} // namespace cudacc::report
