#pragma once

#include <string>
#include <vector>

namespace cudacc::core {

/// A requirement that a project writes down, as written.
struct ProjectRequirement {
  std::string text;
  /// "dependencies", "extra gpu", "build-system.requires".
  std::string list;
  unsigned line = 0;
};

/// What a pyproject.toml says that may tell what the project runs on.
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

} // namespace cudacc::core
