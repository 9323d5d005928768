// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/report/text/Layout.h"
#include <string>
#include <vector>

namespace cudacc::report {

/// What `cuda-cc trust` did, or shows.
struct TrustReport {
  struct Row {
    std::string path;
    /// "trusted", "already trusted", "removed"; "CUDA_CC_TRUST": by that variable, not by the list.
    std::string state;
  };
  /// Where the list is kept; empty: nowhere.
  std::string list;
  std::vector<Row> rows;
};

/// A path on each line, for people and scripts.
std::string trustList(const TrustReport &report);
std::string trustText(const TrustReport &report);

} // namespace cudacc::report
