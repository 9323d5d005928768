// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace cudacc {

/// Makes room for what a command line of that many words needs, in one request instead of
/// a page fault for every 4 KiB. Only the static program has this.
[[gnu::weak]] void makeRoom(size_t words);

} // namespace cudacc
