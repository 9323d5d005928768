// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/AuditReport.h"
#include "driver/report/text/Layout.h"
#include "llvm/Support/JSON.h"

namespace cudacc::report {

/// Output of `cuda-cc audit`: the verdict, then for each finding, errors first, a line in the form
/// of compiler diagnostics and its facts. Fixes end each group, without duplicates.
std::string text(const core::AuditReport &report, Style style = {});

/// {"schema":1,"build","findings":[{"code","target","step","file","line","message"}]} and more, as
/// defined in docs/schema/audit.json.
llvm::json::Value toJson(const core::AuditReport &report);

} // namespace cudacc::report
