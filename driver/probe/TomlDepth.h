#pragma once

#include "driver/probe/Toml.h"

namespace cudacc::probe {

/// Where \p text first nests deeper than \p limit, counting open brackets and, per key, its dots:
/// a dotted key makes one table per dot, and both building and destroying them recurse. Looks at
/// strings and comments only to step over them; all other errors are the parser's to find.
std::optional<TomlPlace> deeperThan(llvm::StringRef text, unsigned limit);

} // namespace cudacc::probe
