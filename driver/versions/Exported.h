// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cudacc::versions {

/// Whether a version of a library exports a name. Callers must not treat Unknown as Yes or No.
enum class Exported { No, Yes, Unknown };

} // namespace cudacc::versions
