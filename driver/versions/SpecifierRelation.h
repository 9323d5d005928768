// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/Version.h"

namespace cudacc::versions {

/// Whether some release matches both sets, whether or not it was ever published. Clauses `===` are
/// compared by the release that they name.
bool overlap(const SpecifierSet &one, const SpecifierSet &other);
/// Whether every release that matches \p narrow matches \p wide.
bool implies(const SpecifierSet &narrow, const SpecifierSet &wide);

} // namespace cudacc::versions
