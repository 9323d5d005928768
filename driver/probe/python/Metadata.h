// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/Requirement.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cudacc::probe {

/// What a distribution says of itself in METADATA.
struct DistributionMetadata {
  /// Normalised; empty: it does not say.
  std::string name;
  /// As written.
  std::string version;
  /// Requires-Dist that hold on Linux without an extra being asked for. The marker is kept where
  /// it hangs on what is not known: those may hold.
  std::vector<versions::Requirement> requirements;

  /// Names of what it requires, or may require, each once.
  std::vector<std::string> required() const;
};

/// \p text of a METADATA file, for \p machine (`x86_64`; empty: not known) and \p python (`3.11`;
/// empty: not known).
DistributionMetadata parseMetadata(llvm::StringRef text, llvm::StringRef machine,
                                   llvm::StringRef python);

} // namespace cudacc::probe
