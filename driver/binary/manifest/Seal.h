// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Manifest.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace cudacc::binary {

/// A link record and the summary directly behind it.
struct NotePair {
  /// Offsets of the descriptors in the file.
  uint64_t link = 0, summary = 0;
  /// Size of the link record's descriptor.
  uint32_t capacity = 0;
  core::LinkRecord record;
  bool sealed = false;
};

/// Where the pairs lie in a linked file, in file order. Empty: a linker script dropped the notes,
/// or there never were any.
struct NotePositions {
  std::vector<NotePair> pairs;
  bool empty() const { return pairs.empty(); }
};

/// Bytes to be written in place.
struct Patch {
  uint64_t offset = 0;
  std::string bytes;
};

/// IP-2 and IP-3: what turns the one unsealed pair into \p record and \p summary, the summary last.
/// The pair is the one whose placeholder agrees in tool, policy and declared target; sealed pairs
/// are other links' and stay. An error when there is not exactly one, or when it does not fit.
llvm::Expected<std::vector<Patch>> seal(const NotePositions &positions,
                                        const core::LinkRecord &record,
                                        const core::SummaryRecord &summary);

} // namespace cudacc::binary
