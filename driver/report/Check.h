#pragma once

#include "driver/core/Judgement.h"
#include "driver/report/Layout.h"

namespace cudacc::report {

/// What `cuda-cc check` prints. One judgement: the verdict, then the facts that made it and the
/// ways out. Several: how many of which verdict, a table with the worst first, and the facts of
/// those that are not accepted. Nothing to judge is the empty string.
std::string check(llvm::ArrayRef<core::Judgement> judgements, Style style = {});

/// The parts of one judgement: the line with its verdict, and what stands below it.
std::string checkHead(const core::Judgement &judgement, Style style = {});
std::string checkBody(const core::Judgement &judgement, bool withRemarks, Style style = {});

/// The compatibility matrix of `--against all`: a row per runtime in the order given, which is that
/// of the releases; neighbours that say the same are one row. Of several files a row has the worst
/// verdict.
std::string matrix(llvm::ArrayRef<core::Judgement> judgements, Style style = {});

} // namespace cudacc::report
