#pragma once

#include "driver/World.h"
#include "driver/report/Layout.h"

namespace cudacc {

/// Whether texts for stdout and for stderr have colours: those for a terminal, unless NO_COLOR is
/// set and not empty, or TERM is `dumb`.
report::Style outStyle(World &world);
report::Style errStyle(World &world);

} // namespace cudacc
