// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <compare>
#include <cstdint>
#include <optional>
#include <string>

namespace cudacc::versions {

/// A GPU architecture by compute capability: 90 with suffix 'a' is sm_90a. Number 0 means none.
struct Arch {
  uint16_t number = 0;
  /// 'a', 'f', or 0.
  char suffix = 0;

  bool known() const { return number != 0; }
  unsigned major() const { return number / 10; }
  unsigned minor() const { return number % 10; }
  /// `sm_90a`; \p prefix replaces `sm_` (`compute_`, `lto_`).
  std::string str(llvm::StringRef prefix = "sm_") const;
  auto operator<=>(const Arch &) const = default;

  /// Parses `sm_90a`, `compute_90`, `lto_90`, `90a`; std::nullopt for other text.
  static std::optional<Arch> parse(llvm::StringRef text);
};

} // namespace cudacc::versions
