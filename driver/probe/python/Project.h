#pragma once

#include "driver/core/Project.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace cudacc::probe {

/// A pyproject.toml: `project`, `build-system` and Poetry's own dependencies, as far as Poetry's
/// constraints are PEP 440's. Error: BrokenConfig naming \p shown with the line.
llvm::Expected<core::Project> readProject(llvm::StringRef text, llvm::StringRef shown);

} // namespace cudacc::probe
