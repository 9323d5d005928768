#pragma once

#include "driver/core/Files.h"
#include "driver/probe/Settings.h"
#include <optional>

namespace cudacc::probe {

/// A configuration file, read: every key is known and has a value of the right type.
struct ConfigFile {
  /// Absolute.
  std::string path;
  GivenKeys given;
};

/// Whether configuration in the folder counts: it is \p uid's or root's, and others cannot write.
bool isTrusted(const core::FileStatus &folder, unsigned uid);

/// The nearest one from \p from upward, as readDeclaration says.
llvm::Expected<std::optional<ConfigFile>> findConfigFile(llvm::StringRef from, core::Files &files,
                                                         unsigned uid);

} // namespace cudacc::probe
