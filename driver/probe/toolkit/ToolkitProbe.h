// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/Toolkit.h"

namespace cudacc::probe {

/// Overrides for a toolkit whose parts are not where its nvcc indicates.
struct ToolkitPlace {
  /// The nvcc program of a toolchain directory, whose own nvcc is only a name; the profile and
  /// directories of the toolchain directory apply. If empty, scripts and links are followed.
  std::string driver;
  /// Replace the include directories of the profile; if empty, the profile's are used.
  std::vector<std::string> includes;
  /// The same toolkit as probed before, whose programs are not read again; null to read all.
  const core::Toolkit *known = nullptr;
};

/// Reads everything about the toolkit of \p nvcc (absolute) from files: the program that scripts
/// and links lead to, the directories of its profile, and each part with the version that its own
/// evidence states. A version that cannot be determined stays unknown. Errors: Code::NoToolkit,
/// UnreadableFile if nvcc is missing or cannot be read.
///
/// Evidence: for programs their embedded version text, for headers their macro, for other parts the
/// name of their wheel or conda package, and version.json if there is nothing else. If a part's own
/// evidence and its owner name different releases, that is a conflict (EV-8).
llvm::Expected<core::Toolkit> probeToolkit(llvm::StringRef nvcc, llvm::StringRef foundBy,
                                           core::Files &files, const ToolkitPlace &place = {});

} // namespace cudacc::probe
