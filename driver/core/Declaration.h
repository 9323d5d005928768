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
/// How the runtime's libraries are installed.
struct LayoutChoice {
  Layout kind = Layout::Wheels;
  /// The directory of `system:PATH`. Empty for other kinds.
  std::string path;
  /// `wheels`, `system:/usr/local/cuda`.
  std::string str() const;
};
/// Which links get a manifest.
enum class ManifestMode { Declared, Always, Never };
/// What nvcc links device code with: the toolkit's nvlink, or the runtime's nvJitLink.
enum class DeviceLinker { Nvlink, Runtime };
enum class Dtags { Rpath, Runpath };
/// Who runs the steps of an nvcc compile.
enum class Backend { Nvcc, Ninja };
/// How many of them run at a time.
struct Jobs {
  /// 0: one for each processor.
  unsigned count = 0;
};

/// The value of a setting and the place where it was set.
template <typename T> struct Setting {
  T value{};
  Origin origin;
};

/// What the user declares, before anything is resolved. Precedence is per key (F12): each setting
/// comes from the first source that has it.
struct Declaration {
  /// All must hold together. Empty if no runtime is declared.
  std::vector<Setting<std::string>> runtime;
  Setting<Enforce> enforce{Enforce::Toolkit, {}};
  Setting<bool> require{false, {}};
  /// `auto`, `env`, `fetch`, or a path to a toolkit's root or its nvcc.
  Setting<std::string> toolkit{"auto", {}};
  /// Empty: the host compiler that nvcc or the caller would use.
  Setting<std::string> hostCompiler;
  /// The launcher in front of each compile command: a program and its own arguments, one per entry
  /// (`ccache`, `prefix_command=distcc`). Empty if there is none.
  std::vector<Setting<std::string>> launcher;
  /// Relative to site-packages. If not set, the output is assumed in site-packages/pkg or in
  /// site-packages (F18).
  std::optional<Setting<std::string>> installDir;
  Setting<LayoutChoice> layout;
  /// If not set: rpath for wheels, as a default that the caller's own flag overrides (F6).
  std::optional<Setting<Dtags>> dtags;
  /// File with rows to add to the built-in tables (F16), absolute or below `~`. Empty: none.
  Setting<std::string> facts;
  /// If several entries name one rule, the last one applies.
  std::vector<Setting<SeverityChange>> severity;
  std::vector<Setting<Waiver>> waive;
  /// MD-2: report a declared driver that is too old as a remark.
  Setting<bool> assumeForwardCompatibility{false, {}};
  /// F8: treat an undetermined fact as a failure.
  Setting<bool> strict{false, {}};
  /// F18: an in-place build, with the environment's absolute directories in its search path. If not
  /// set: executables only, and only if the runtime is an environment.
  std::optional<Setting<bool>> develop;
  /// Always: links without a declared runtime get a manifest, too.
  Setting<ManifestMode> manifest{ManifestMode::Declared, {}};
  Setting<DeviceLinker> deviceLinker{DeviceLinker::Nvlink, {}};
  Setting<Backend> backend{Backend::Nvcc, {}};
  Setting<Jobs> jobs;
  /// What `wheel repair` does without options: `requires=torch`, `unbundle=true`; and
  /// `repair=true`, which the PEP 517 backend reads. The last entry of a key counts.
  std::vector<Setting<std::string>> wheel;
  /// Absolute path of the configuration file that was read. Empty if none was (F17).
  std::string file;

  bool declared() const { return !runtime.empty(); }
};

const char *str(Enforce enforce);
const char *str(Layout layout);
const char *str(Dtags dtags);
const char *str(ManifestMode mode);
const char *str(DeviceLinker by);
const char *str(Backend backend);
/// `auto` or a number.
std::string str(Jobs jobs);

} // namespace cudacc::core
