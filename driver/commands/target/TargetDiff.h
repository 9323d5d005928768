// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include <string>
#include <vector>

namespace cudacc::commands {

/// A library that two targets do not have alike. Both rows live as long as the targets.
struct LibraryDiff {
  std::string soname;
  /// Null: that target has no such library.
  const core::TargetLibrary *a = nullptr, *b = nullptr;
};

/// A fact about the whole target: "CUDA", "torch", "driver", "GPUs".
struct SettingDiff {
  std::string name;
  /// Empty: not declared, or not known.
  std::string a, b;
};

/// What two targets do not have in common; where a fact was declared is no difference.
struct TargetDiff {
  std::vector<SettingDiff> settings;
  /// By soname.
  std::vector<LibraryDiff> libraries;
  /// Libraries that both have alike.
  size_t same = 0;

  bool equal() const { return settings.empty() && libraries.empty(); }
};

/// Line, framework, machines and libraries of two targets, compared with each other. A library
/// differs where its wheel, version, folder or whether it floats does; unknown is not like unknown
/// unless both name the same file.
TargetDiff diff(const core::Target &a, const core::Target &b);

} // namespace cudacc::commands
