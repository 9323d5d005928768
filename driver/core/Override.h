// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include <string>
#include <vector>

namespace cudacc::core {

/// The rules that one word of a declaration means: `CC3005`, or a class of docs/spec/rules.md,
/// which several codes may share (`E_TARGET_NEWER`).
struct RuleName {
  /// `CC3005`, `E_TARGET_NEWER`, whatever the spelling.
  std::string word;
  std::vector<Code> codes;

  bool has(Code code) const;
  bool operator==(const RuleName &) const = default;
};

/// `CC3005=warning`: what these rules find weighs more or less than it does by itself.
struct SeverityChange {
  RuleName rule;
  Severity severity = Severity::Error;

  std::string str() const;
  /// Something that a rule refuses or warns of is let through or said less loudly.
  bool lowers() const;
  bool operator==(const SeverityChange &) const = default;
};

/// `CC4003 libx.so.1: the application loads it`: what these rules find there does not count.
struct Waiver {
  RuleName rule;
  /// Library, symbol or file; empty: everything that the rules find.
  std::string what;
  std::string reason;

  std::string str() const;
  bool operator==(const Waiver &) const = default;
};

} // namespace cudacc::core
