// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/Toolkit.h"

namespace cudacc::probe {

/// A toolkit whose parts are not all where its nvcc says.
struct ToolkitPlace {
  /// The program behind an nvcc that is only a name: in a toolchain directory, whose profile and
  /// folders count. Empty: scripts and links are followed.
  std::string driver;
  /// In the place of the folders that the profile names; empty: those.
  std::vector<std::string> includes;
  /// Programs of it are not read again; null: all are read.
  const core::Toolkit *known = nullptr;
};

/// Everything about the toolkit behind \p nvcc (absolute), read from files: the program that
/// scripts and links lead to, the directories its profile names, and each part with the version
/// that its own evidence gives. A version that cannot be determined stays unknown; only an nvcc
/// that is not there or cannot be read is an error (Code::NoToolkit, UnreadableFile).
///
/// Evidence: programs by their own text, headers by their macro, other parts by their wheel's or
/// conda package's name, and by version.json where nothing else speaks. Own evidence and owner that
/// name different releases are a conflict (EV-8).
llvm::Expected<core::Toolkit> probeToolkit(llvm::StringRef nvcc, llvm::StringRef foundBy,
                                           core::Files &files, const ToolkitPlace &place = {});

} // namespace cudacc::probe
