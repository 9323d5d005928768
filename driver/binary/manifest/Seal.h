// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Patch.h"
#include "driver/core/Manifest.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace cudacc::binary {

/// A link record and the summary that follows it immediately.
struct NotePair {
  /// Offsets of the descriptors in the file.
  uint64_t link = 0, summary = 0;
  /// Size of the link record's descriptor.
  uint32_t capacity = 0;
  core::LinkRecord record;
  bool sealed = false;
};

/// The pairs in a linked file, in file order. Empty if it has no notes or a linker script dropped
/// them.
struct NotePositions {
  std::vector<NotePair> pairs;
  bool empty() const { return pairs.empty(); }
};

/// Whether the file has an unsealed pair of a link with the same tool, policy and declared target.
bool hasPlaceholder(const NotePositions &positions, const core::LinkRecord &record);

/// IP-2 and IP-3: the patches that turn the one unsealed pair into \p record and \p summary, the
/// summary last. It is the pair whose placeholder has the same tool, policy and declared target;
/// sealed pairs belong to other links and are kept. Errors: there is not exactly one such pair, or
/// the record does not fit.
llvm::Expected<std::vector<Patch>> seal(const NotePositions &positions,
                                        const core::LinkRecord &record,
                                        const core::SummaryRecord &summary);

} // namespace cudacc::binary
