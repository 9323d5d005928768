// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/explain/Explanation.h"
#include "driver/report/text/Layout.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"

namespace cudacc::commands {

/// As described by docs/schema/explain.json.
llvm::json::Value explanationJson(const explain::Explained &explained,
                                  llvm::ArrayRef<std::string> next);

/// The text of `cuda-cc explain TEXT`: for each message what happened, then what its numbers mean,
/// the causes and the fixes. \p places: the messages come from a log and are shown with their
/// lines. \p next: commands to suggest if no message is known.
std::string explanationText(const explain::Explained &explained, bool places,
                            llvm::ArrayRef<std::string> next, report::Style style = {});

} // namespace cudacc::commands
