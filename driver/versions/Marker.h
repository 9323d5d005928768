// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::versions {

/// Values of the environment variables of PEP 508 (`sys_platform`, `platform_machine`), and of the
/// sets of PEP 751 (`extras`, `dependency_groups`). A variable without an entry is not known.
struct MarkerEnvironment {
  std::map<std::string, std::string, std::less<>> values;
  /// Extras that are asked for, normalised; each makes `extra == "name"` true. And groups.
  std::vector<std::string> extras, groups;

  /// Linux on \p machine (`x86_64`, `aarch64`), CPython; \p python is `3.11` or `3.11.4`, empty:
  /// not known.
  static MarkerEnvironment linux(llvm::StringRef machine, llvm::StringRef python = "");
};

enum class Truth : uint8_t { False, True, Unknown };

/// A marker: `sys_platform == "linux" and python_version >= "3.9"`.
class Marker {
public:
  /// The whole text; nothing when it is no marker: an unknown variable or operator, two literals
  /// compared with each other, more than 64 levels of brackets or 16 KiB.
  static std::optional<Marker> parse(llvm::StringRef text);

  /// Unknown where the answer hangs on a variable that the environment does not know.
  Truth evaluate(const MarkerEnvironment &environment) const;

private:
  struct Node;
  friend class MarkerParser;
  std::shared_ptr<const Node> root;
};

} // namespace cudacc::versions
