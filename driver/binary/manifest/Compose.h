// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/LibraryFloor.h"
#include "driver/core/Manifest.h"
#include <string>
#include <utility>
#include <vector>

namespace cudacc::binary {

/// The number of translation units on a link line.
struct UnitCount {
  /// Number of sources and objects named on the line.
  uint64_t named = 0;
  /// Archives are on the line; their members are not counted.
  bool hasArchives = false;
};

/// The inputs from which the records of a linked file are composed.
struct RecordSources {
  const core::BinaryFacts *facts = nullptr;
  /// The target's CUDA version; 0.0 if nothing was declared.
  versions::CudaVersion line;
  /// The CUDA major version of the floors; 0 if unknown: there are no floors then.
  unsigned major = 0;
  std::vector<core::LibraryFloor> floors;
  /// Value of LinkRecord::torch, such as `>=2.8,<2.12`; may be empty.
  std::string torch;
  /// The line links libcudart_static.a.
  bool hasStaticCudart = false;
  UnitCount units;
};

/// Composes the final records of a link. \p record holds what was known before the link, as in the
/// placeholder, including its waivers.
std::pair<core::LinkRecord, core::SummaryRecord> composeRecords(core::LinkRecord record,
                                                                const RecordSources &sources);

} // namespace cudacc::binary
