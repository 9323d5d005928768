// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/explain/Explanation.h"
#include "driver/report/text/Layout.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"

namespace cudacc::commands {

/// Form in docs/schema/explain.json.
llvm::json::Value explanationJson(const explain::Explained &explained,
                                  llvm::ArrayRef<std::string> next);

/// What `cuda-cc explain TEXT` prints: of each message what happened in the first line, then what
/// its numbers mean, the causes, the fixes. \p places: the messages stood in a log, and are
/// shown with their lines. \p next: what to run where nothing is known.
std::string explanationText(const explain::Explained &explained, bool places,
                            llvm::ArrayRef<std::string> next, report::Style style = {});

} // namespace cudacc::commands
