// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cudacc::versions {

/// Whether a version of a library exports a name. Unknown is never taken for either.
enum class Exported { No, Yes, Unknown };

} // namespace cudacc::versions
