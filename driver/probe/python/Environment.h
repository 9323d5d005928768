// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/PythonEnvironment.h"

namespace cudacc::probe {

/// Reads the environment at \p prefix, an absolute path: a virtual environment, a conda prefix, the
/// prefix of a Python installation, or a directory that packages were unpacked into (pip --target).
/// Errors: UnreadableFile or EvidenceConflict if it is none of these or if its Python version
/// cannot be determined.
llvm::Expected<core::PythonEnvironment> readEnvironment(llvm::StringRef prefix, core::Files &files);

} // namespace cudacc::probe
