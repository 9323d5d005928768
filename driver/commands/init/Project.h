// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace cudacc::commands {

/// A requirement that a project writes down, as written.
struct ProjectRequirement {
  std::string text;
  /// "dependencies", "extra gpu", "build-system.requires".
  std::string list;
  unsigned line = 0;
};

/// What a pyproject.toml says about the runtime of the project.
struct Project {
  /// As it should be printed.
  std::string shown;
  /// As written; empty: not said.
  std::string requiresPython;
  /// Dependencies, those of extras, then what the build requires.
  std::vector<ProjectRequirement> requirements;
  /// Line of `[tool.cuda-cc]`; 0: there is none.
  unsigned declaredAt = 0;
};

/// A pyproject.toml: `project`, `build-system` and Poetry's own dependencies, as far as Poetry's
/// constraints are PEP 440's. Error: BrokenConfig naming \p shown with the line.
llvm::Expected<Project> readProject(llvm::StringRef text, llvm::StringRef shown);

} // namespace cudacc::commands
