// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cudacc::core {

/// Where a setting was set. Every diagnostic about the setting names it.
struct Origin {
  enum class Kind { None, Option, Variable, Baked, File, Default };
  Kind kind = Kind::None;
  /// Option or variable as the user writes it (`--cudacc-runtime`, `CUDA_CC_RUNTIME`), or the file
  /// as it should be printed.
  std::string name;
  /// 1-based; 0 if not known.
  unsigned line = 0;
  unsigned column = 0;

  /// `pyproject.toml:14`, `--cudacc-runtime`, `CUDA_CC_RUNTIME`, `the toolchain directory X`.
  std::string str() const;
  explicit operator bool() const { return kind != Kind::None; }
};

} // namespace cudacc::core
