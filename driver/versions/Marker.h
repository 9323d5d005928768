// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::versions {

/// Values of the environment variables of PEP 508 (`sys_platform`, `platform_machine`) and of the
/// sets of PEP 751 (`extras`, `dependency_groups`). A variable without an entry is unknown.
struct MarkerEnvironment {
  std::map<std::string, std::string, std::less<>> values;
  /// Requested extras, normalised; each makes `extra == "name"` true. Likewise dependency groups.
  std::vector<std::string> extras, groups;

  /// CPython on Linux on \p machine (`x86_64`, `aarch64`). \p python is `3.11` or `3.11.4`; empty
  /// if it is not known.
  static MarkerEnvironment linux(llvm::StringRef machine, llvm::StringRef python = "");
};

enum class Truth : uint8_t { False, True, Unknown };

/// An environment marker: `sys_platform == "linux" and python_version >= "3.9"`.
class Marker {
public:
  /// Parses the whole text. std::nullopt if it is no marker: it has an unknown variable or
  /// operator, compares two literals, nests more than 64 levels of parentheses or exceeds 16 KiB.
  static std::optional<Marker> parse(llvm::StringRef text);

  /// Unknown if the result depends on a variable that the environment does not define.
  Truth evaluate(const MarkerEnvironment &environment) const;

private:
  struct Node;
  friend class MarkerParser;
  std::shared_ptr<const Node> root;
};

} // namespace cudacc::versions
