// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/Requirement.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cudacc::probe {

/// The contents of a distribution's METADATA.
struct DistributionMetadata {
  /// Normalised; empty if METADATA has none.
  std::string name;
  /// As written.
  std::string version;
  /// Provides-Extra, normalised, in their order.
  std::vector<std::string> extras;
  /// The Requires-Dist entries that apply on Linux, without extras or with those that were asked
  /// for. A marker that depends on unknown
  /// values is kept; such a requirement may apply.
  std::vector<versions::Requirement> requirements;

  /// Names of the distributions that are, or may be, required; each once.
  std::vector<std::string> required() const;
};

/// Parses the \p text of a METADATA file for \p machine (`x86_64`) and \p python (`3.11`); either
/// may be empty, for unknown. \p extras, normalised, are those that are installed with it.
DistributionMetadata parseMetadata(llvm::StringRef text, llvm::StringRef machine,
                                   llvm::StringRef python, llvm::ArrayRef<std::string> extras = {});

} // namespace cudacc::probe
