// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/Version.h"
#include <string>

namespace cudacc::core {

/// Torch's headers on the include path of a call, or a library of torch's on its link line.
struct FoundTorch {
  /// The folder of the include path; the library's file.
  std::string path;
  /// "-I .venv/.../torch/include", "-lc10".
  std::string foundBy;
  /// Numbers alone (2.11.0); without numbers: not known.
  versions::Version release;
  /// CUDA line of the build (`cu130`), `cpu`; empty: nothing beside it says.
  std::string label;
  /// What says so: "TORCH_VERSION_MAJOR in .../torch/headeronly/version.h".
  std::string evidence;
  /// These headers refuse to be included where a call confines itself to torch's stable ABI
  /// (TORCH_TARGET_VERSION, since 2.10).
  bool guarded = false;
  /// Why the release is not known; empty when it is.
  std::string problem;

  bool known() const { return !release.release.empty(); }
};

} // namespace cudacc::core
