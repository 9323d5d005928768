// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/Version.h"
#include <string>

namespace cudacc::core {

/// Torch's headers on the include path of a call, or one of torch's libraries on its link line.
struct FoundTorch {
  /// The include directory, or the library's file.
  std::string path;
  /// "-I .venv/.../torch/include", "-lc10".
  std::string foundBy;
  /// Numbers only (2.11.0). Without numbers if it is not known.
  versions::Version release;
  /// CUDA line of the build (`cu130`), or `cpu`. Empty if nothing next to it states it.
  std::string label;
  /// Where the release was read: "TORCH_VERSION_MAJOR in .../torch/headeronly/version.h".
  std::string evidence;
  /// These headers refuse to compile in a call that restricts itself to torch's stable ABI
  /// (TORCH_TARGET_VERSION, since 2.10).
  bool guarded = false;
  /// Why the release is not known. Empty if it is.
  std::string problem;

  bool known() const { return !release.release.empty(); }
};

} // namespace cudacc::core
