// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/AuditReport.h"
#include "driver/core/Judgement.h"
#include "driver/report/json/Json.h"

namespace cudacc::report {

/// Findings as SARIF 2.1.0: one result per finding and runtime, and one rule per code that occurs,
/// with its documentation page as help. Paths become URIs; relative ones stay relative. A member of
/// a wheel is a logical location in it. \p problems belong to no file and become tool
/// notifications. \p version is cuda-cc's, \p exit its exit status.
RowsDocument sarif(llvm::ArrayRef<core::Judgement> judgements,
                   llvm::ArrayRef<core::Finding> problems, llvm::StringRef version, int exit);
/// The same for a build: one result per finding, located at the line of the project that it names.
RowsDocument sarif(const core::AuditReport &report, llvm::StringRef version, int exit);

} // namespace cudacc::report
