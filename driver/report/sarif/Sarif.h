// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/AuditReport.h"
#include "driver/core/Judgement.h"
#include "llvm/Support/JSON.h"

namespace cudacc::report {

/// Findings as SARIF 2.1.0: one result per finding and runtime, one rule per code that occurs, with
/// its page as help. Paths become URIs, relative ones stay relative; a member of a wheel is a
/// logical location in it. \p problems belong to no file: notifications of the tool. \p version is
/// that of cuda-cc, \p exit the status it ends with.
llvm::json::Value sarif(llvm::ArrayRef<core::Judgement> judgements,
                        llvm::ArrayRef<core::Finding> problems, llvm::StringRef version, int exit);
/// Likewise of a build: one result per finding, at the line of the project that it names.
llvm::json::Value sarif(const core::AuditReport &report, llvm::StringRef version, int exit);

} // namespace cudacc::report
