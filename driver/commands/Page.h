// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/pipeline/System.h"
#include "driver/report/html/Html.h"

namespace cudacc::commands {

/// Errors: the file at \p path is read-only. root is refused as well, since it could overwrite the
/// file without meaning to.
llvm::Error checkWritable(pipeline::System &system, const std::string &path);
/// Errors: the file at \p path is not an HTML page, so `--report` must not overwrite it.
llvm::Error checkReplaceable(pipeline::System &system, const std::string &path);
/// Writes the page of `--report`.
llvm::Error writePage(pipeline::System &system, const std::string &path,
                      const report::HtmlReport &page);

} // namespace cudacc::commands
