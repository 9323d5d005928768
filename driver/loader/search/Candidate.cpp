// SPDX-License-Identifier: Apache-2.0
#include "driver/loader/search/Candidate.h"

namespace cudacc::loader {

Candidate directoryCandidate() {
  Candidate result;
  result.kind = Candidate::Kind::Fatal;
  result.reason = "cannot read file data: Is a directory";
  return result;
}

} // namespace cudacc::loader
