// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/pipeline/System.h"
#include "driver/report/html/Html.h"

namespace cudacc::commands {

/// Error: what lies at \p path is read-only. root could replace it all the same, and would not mean
/// to.
llvm::Error checkWritable(pipeline::System &system, const std::string &path);
/// Error: what lies at \p path is not to be replaced by a page, since it is none itself.
llvm::Error checkReplaceable(pipeline::System &system, const std::string &path);
/// Writes the page that `--report` asks for.
llvm::Error writePage(pipeline::System &system, const std::string &path,
                      const report::HtmlReport &page);

} // namespace cudacc::commands
