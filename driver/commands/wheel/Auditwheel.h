// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Plan.h"
#include "driver/pipeline/System.h"

namespace cudacc::commands {

/// How auditwheel is started here.
struct Auditwheel {
  std::string program;
  /// `-m auditwheel` for a Python.
  std::vector<std::string> words;
};

/// Searches PATH, then asks the Pythons on PATH for the module. Error: AuditwheelFailed.
llvm::Expected<Auditwheel> findAuditwheel(pipeline::System &system);

/// Runs `auditwheel repair` with an `--exclude` for each of these NEEDED names. The result, in \p
/// folder, is barely compressed; auditwheel's temporary files go there, too. Returns its path.
/// Error: AuditwheelFailed, with what it printed last.
llvm::Expected<std::string> runAuditwheel(pipeline::System &system, const Auditwheel &auditwheel,
                                          const std::string &wheel, const std::string &folder,
                                          llvm::ArrayRef<std::string> excluded);

/// Runs patchelf on the file. Error: AuditwheelFailed.
llvm::Error runPatchelf(pipeline::System &system, const std::string &file,
                        llvm::ArrayRef<std::string> words);

} // namespace cudacc::commands
