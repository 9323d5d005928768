// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/Marker.h"
#include "driver/versions/Version.h"

namespace cudacc::versions {

/// A requirement of PEP 508: `torch==2.6.0+cu126`, `jax[cuda12]>=0.4; sys_platform == "linux"`,
/// `torch @ https://.../torch-2.5.1-cp311-cp311-linux_x86_64.whl`.
struct Requirement {
  /// Normalised as in PEP 503: lower case, runs of `-_.` become one `-`.
  std::string name;
  std::vector<std::string> extras;
  SpecifierSet specifiers;
  /// The URL after `@`; empty if there is none. A requirement with a URL has no specifiers.
  std::string url;
  std::optional<Marker> marker;
  /// As written.
  std::string text;

  /// std::nullopt if the text is no PEP 508 requirement.
  static std::optional<Requirement> parse(llvm::StringRef text);
  static std::string normalise(llvm::StringRef name);
  /// Whether it is a name (PEP 508); installers ignore distributions that are called otherwise.
  static bool isName(llvm::StringRef name);
};

} // namespace cudacc::versions
