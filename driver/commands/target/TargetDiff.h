// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include "driver/report/text/Layout.h"
#include "llvm/Support/JSON.h"
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

/// As described by docs/schema/target-diff.json.
llvm::json::Value targetDiffJson(const core::Target &a, const core::Target &b,
                                 const TargetDiff &diff);

/// The text of `cuda-cc target --diff A B`: whether and how much they differ in the first line,
/// then the two targets, then a row per difference.
std::string targetDiffText(const core::Target &a, const core::Target &b, const TargetDiff &diff,
                           report::Style style = {});

} // namespace cudacc::commands
