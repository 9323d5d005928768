// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "plugins/audit/BuildModel.h"
#include "llvm/Support/Error.h"

namespace cudacc::meson {

/// What Meson wrote into meson-info when it configured.
struct Introspection {
  audit::BuildModel model;
  /// `ninja`.
  std::string backend;
  /// Artefacts that are built by name alone.
  std::vector<std::string> onDemand;
};

/// Reads meson-info below \p build, of Meson 1.0 and later. Values of another type than Meson's,
/// more than 64 levels, a file that is not there and a configuration that failed are
/// BrokenDescription with the file's name; unknown keys are passed over.
llvm::Expected<Introspection> readIntrospection(core::Files &files, llvm::StringRef build);

} // namespace cudacc::meson
