// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace cudacc::commands {

/// A requirement of a project, as written.
struct ProjectRequirement {
  std::string text;
  /// "dependencies", "extra gpu", "build-system.requires".
  std::string list;
  unsigned line = 0;
};

/// What a pyproject.toml says about the runtime of its project.
struct Project {
  /// The file's name as printed.
  std::string shown;
  /// As written; empty if absent.
  std::string requiresPython;
  /// Dependencies, then those of extras, then build requirements.
  std::vector<ProjectRequirement> requirements;
  /// Line of `[tool.cuda-cc]`; 0 if there is none.
  unsigned declaredAt = 0;
};

/// Reads `project`, `build-system` and Poetry's own dependencies of a pyproject.toml. Of Poetry's
/// constraints only those valid under PEP 440 are usable. Errors: BrokenConfig with \p shown and
/// the line.
llvm::Expected<Project> readProject(llvm::StringRef text, llvm::StringRef shown);

} // namespace cudacc::commands
