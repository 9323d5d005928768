// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Origin.h"
#include "driver/core/Override.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::core {

enum class Enforce { Toolkit, Symbols, Warn, Off };
enum class Layout { Wheels, System, Conda, None };
/// How the runtime's libraries lie.
struct LayoutChoice {
  Layout kind = Layout::Wheels;
  /// Directory of `system:PATH`; else empty.
  std::string path;
  /// `wheels`, `system:/usr/local/cuda`.
  std::string str() const;
};
/// Which links get a manifest.
enum class ManifestMode { Declared, Always, Never };
enum class Dtags { Rpath, Runpath };

/// A setting together with the place where it was written.
template <typename T> struct Setting {
  T value{};
  Origin origin;
};

/// What the user declares, before anything is looked up. Precedence is per key (F12): each setting
/// comes from the first source that has it.
struct Declaration {
  /// All must hold together; empty: undeclared.
  std::vector<Setting<std::string>> runtime;
  Setting<Enforce> enforce{Enforce::Toolkit, {}};
  Setting<bool> require{false, {}};
  /// `auto`, `env`, or a path to a toolkit's root or its nvcc.
  Setting<std::string> toolkit{"auto", {}};
  /// Empty: the one nvcc or the caller would take.
  Setting<std::string> hostCompiler;
  /// What is put in front of the compiler where it compiles: a program and words of its own
  /// (`ccache`, `prefix_command=distcc`); empty: nothing.
  std::vector<Setting<std::string>> launcher;
  /// Relative to site-packages; not set: both depths of F18.
  std::optional<Setting<std::string>> installDir;
  Setting<LayoutChoice> layout;
  /// Not set: rpath for wheels, as a default that the caller's own flag beats (F6).
  std::optional<Setting<Dtags>> dtags;
  /// Absolute path, or one below `~`, of a file with rows beside the tables (F16); empty: none.
  Setting<std::string> facts;
  /// Of several that speak of one rule the last counts.
  std::vector<Setting<SeverityChange>> severity;
  std::vector<Setting<Waiver>> waive;
  /// MD-2: what a declared driver is too old for is a remark.
  Setting<bool> assumeForwardCompatibility{false, {}};
  /// F8: what cannot be determined is a failure.
  Setting<bool> strict{false, {}};
  /// F18: an in-place build, with the environment's absolute directories in its search path. Not
  /// set: for programs under an environment.
  std::optional<Setting<bool>> develop;
  /// Always: also a link without a declared runtime.
  Setting<ManifestMode> manifest{ManifestMode::Declared, {}};
  /// Absolute path of the configuration file that was read; empty: none (F17).
  std::string file;

  bool declared() const { return !runtime.empty(); }
};

const char *str(Enforce enforce);
const char *str(Layout layout);
const char *str(Dtags dtags);
const char *str(ManifestMode mode);

} // namespace cudacc::core
