// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include <string>
#include <vector>

namespace cudacc::core {

/// The rules that one word of a declaration selects: `CC3005`, or a class of docs/spec/rules.md,
/// which several codes may share (`E_TARGET_NEWER`).
struct RuleName {
  /// Canonical form: `CC3005`, `E_TARGET_NEWER`.
  std::string word;
  std::vector<Code> codes;

  bool has(Code code) const;
  bool operator==(const RuleName &) const = default;
};

/// `CC3005=warning`: overrides the severity of findings of these rules.
struct SeverityChange {
  RuleName rule;
  Severity severity = Severity::Error;

  std::string str() const;
  /// True if the severity is below the default of one of the rules' codes.
  bool lowers() const;
  bool operator==(const SeverityChange &) const = default;
};

/// `CC4003 libx.so.1: the application loads it`: ignores findings of these rules about that object.
struct Waiver {
  RuleName rule;
  /// Library, symbol or file. Empty: all findings of the rules.
  std::string what;
  std::string reason;

  std::string str() const;
  bool operator==(const Waiver &) const = default;
};

} // namespace cudacc::core
