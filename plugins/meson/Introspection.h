// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "plugins/audit/BuildModel.h"
#include "llvm/Support/Error.h"

namespace cudacc::meson {

/// The contents of meson-info, written when Meson configured.
struct Introspection {
  audit::BuildModel model;
  /// The backend, such as `ninja`.
  std::string backend;
  /// Artefacts that are built only when named.
  std::vector<std::string> onDemand;
};

/// Reads meson-info in \p build, of Meson 1.0 and later. Errors: BrokenDescription with the file's
/// name for values of the wrong type, more than 64 levels, a missing file and a failed
/// configuration. Unknown keys are ignored.
llvm::Expected<Introspection> readIntrospection(core::Files &files, llvm::StringRef build);

} // namespace cudacc::meson
