// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cudacc::policy {

/// A library that one of the same wheel opens by name when it is used.
struct OpenedPart {
  std::string soname;
  /// The file names under which it is looked for, in that order.
  std::vector<std::string> names;
  /// The wheel that was read.
  std::string dist;
  versions::Version version;
  /// What the library that opens it says if it is not found, and whether that ends the process.
  std::string raises = {};
  bool endsProcess = false;
};

/// What NVIDIA's library \p name opens of its own wheel, as \p target has its version, or the name
/// of a copy that auditwheel made. Empty if it opens nothing, or if no wheel of that version was
/// read.
std::vector<OpenedPart> partsOpenedBy(llvm::StringRef name, const core::Target &target);

/// The functions of that wheel's part, which the library that opens it looks up there.
std::vector<std::string> functionsOf(const OpenedPart &part);

} // namespace cudacc::policy
