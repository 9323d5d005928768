// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/LibraryFloor.h"
#include "driver/core/Manifest.h"
#include <string>
#include <utility>
#include <vector>

namespace cudacc::binary {

/// Translation units on a link line.
struct UnitCount {
  /// Sources and objects that the line names.
  uint64_t named = 0;
  /// Archives, whose members are not counted.
  bool hasArchives = false;
};

/// What the records of a linked file are made of.
struct RecordSources {
  const core::BinaryFacts *facts = nullptr;
  /// Of the target; 0.0: nothing was declared.
  versions::CudaVersion line;
  /// The CUDA major that floors are about; 0: not known, and there are none.
  unsigned major = 0;
  std::vector<core::LibraryFloor> floors;
  /// `>=2.8,<2.12`; empty: LinkRecord::torch.
  std::string torch;
  /// The line links libcudart_static.a.
  bool hasStaticCudart = false;
  UnitCount units;
};

/// The final records of a link. \p record: what was known before it, as in the placeholder, with
/// its waivers.
std::pair<core::LinkRecord, core::SummaryRecord> composeRecords(core::LinkRecord record,
                                                                const RecordSources &sources);

} // namespace cudacc::binary
