#pragma once

#include "driver/core/InstalledPackage.h"
#include "driver/core/Requirement.h"
#include "driver/core/Target.h"
#include "driver/tools/CheckInputs.h"

namespace cudacc::tools {

/// What a wheel says of itself in `*.dist-info/METADATA`.
struct WheelMetadata {
  std::string name, version;
  /// Requires-Dist that hold on Linux without an extra being asked for, or may hold there.
  std::vector<core::Requirement> requirements;

  /// It asks for torch itself, so nobody imports it before.
  bool requiresTorch() const;
  /// What of it the runtime does not satisfy, as written: `torch==2.14.0`. An installer would
  /// never bring the two together.
  std::vector<std::string> excluding(const core::Target &target) const;
};

/// Empty where the wheel has none that can be read.
WheelMetadata readMetadata(const OpenedWheel &wheel);
/// The wheel as it will lie in \p site; an empty name where it has no metadata that can be read.
/// \p python as core::MarkerEnvironment::linux has it.
core::InstalledPackage packageOf(const OpenedWheel &wheel, llvm::StringRef site,
                                 llvm::StringRef machine, llvm::StringRef python);
/// \p text of a METADATA file, of a wheel for \p machine (`x86_64`; empty: not known).
WheelMetadata parseMetadata(llvm::StringRef text, llvm::StringRef machine);

} // namespace cudacc::tools
