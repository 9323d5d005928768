// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/report/text/Layout.h"
#include <string>
#include <vector>

namespace cudacc::report {

/// The result of `cuda-cc trust`.
struct TrustReport {
  struct Row {
    std::string path;
    /// "trusted", "already trusted", "removed"; "CUDA_CC_TRUST": by that variable, not the list.
    std::string state;
  };
  /// Path of the list. Empty if there is no place for one.
  std::string list;
  std::vector<Row> rows;
};

/// One path per line, for people and scripts.
std::string trustList(const TrustReport &report);
std::string trustText(const TrustReport &report);

} // namespace cudacc::report
