// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include <string>
#include <vector>

namespace cudacc::commands {

/// A library that differs between two targets. The rows belong to the targets.
struct LibraryDiff {
  std::string soname;
  /// Null if that target has no such library.
  const core::TargetLibrary *a = nullptr, *b = nullptr;
};

/// A difference in the target as a whole: "CUDA", "torch", "driver", "GPUs".
struct SettingDiff {
  std::string name;
  /// Empty if not declared, or not known.
  std::string a, b;
};

/// The differences between two targets. Where a value was declared is not compared.
struct TargetDiff {
  std::vector<SettingDiff> settings;
  /// Sorted by SONAME.
  std::vector<LibraryDiff> libraries;
  /// Number of libraries that are equal in both.
  size_t same = 0;

  bool equal() const { return settings.empty() && libraries.empty(); }
};

/// Compares CUDA line, framework, machines and libraries of two targets. A library differs if its
/// wheel, version, folder or `floats` does; unknown versions are equal only if both name the same
/// file.
TargetDiff diff(const core::Target &a, const core::Target &b);

} // namespace cudacc::commands
