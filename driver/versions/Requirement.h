// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/Marker.h"
#include "driver/versions/Version.h"

namespace cudacc::versions {

/// A requirement of PEP 508: `torch==2.6.0+cu126`, `jax[cuda12]>=0.4; sys_platform == "linux"`,
/// `torch @ https://.../torch-2.5.1-cp311-cp311-linux_x86_64.whl`.
struct Requirement {
  /// Normalised after PEP 503: lower case, runs of `-_.` are one `-`.
  std::string name;
  std::vector<std::string> extras;
  SpecifierSet specifiers;
  /// Behind `@`; empty: none. With one there are no specifiers.
  std::string url;
  std::optional<Marker> marker;
  /// As written.
  std::string text;

  /// Nothing when the text is no requirement of PEP 508.
  static std::optional<Requirement> parse(llvm::StringRef text);
  static std::string normalise(llvm::StringRef name);
};

} // namespace cudacc::versions
