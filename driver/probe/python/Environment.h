// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/PythonEnvironment.h"

namespace cudacc::probe {

/// Reads the environment at \p prefix, an absolute path: a virtual environment, a conda prefix, an
/// installation's own prefix, or a folder that packages were unpacked into (pip --target). Error:
/// UnreadableFile or EvidenceConflict when it is none, or when it cannot be said which Python's.
llvm::Expected<core::PythonEnvironment> readEnvironment(llvm::StringRef prefix, core::Files &files);

} // namespace cudacc::probe
