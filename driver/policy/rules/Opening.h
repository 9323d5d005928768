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
  /// The file names under which it is looked for.
  std::vector<std::string> names;
};

/// What NVIDIA's library \p name opens of its own wheel, as \p target has its version, or the name
/// of a copy that auditwheel made. Empty if it opens nothing, or if no wheel of that version was
/// read.
std::vector<OpenedPart> partsOpenedBy(llvm::StringRef name, const core::Target &target);

} // namespace cudacc::policy
