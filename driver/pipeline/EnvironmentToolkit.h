// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/probe/toolkit/Locate.h"

namespace cudacc::pipeline {

/// The nvcc of `toolkit = "env"`: `bin/nvcc` below the prefix (conda's place), else that of
/// NVIDIA's wheels, in the environment that \p declaration names as its runtime, by default the
/// active one. Errors: NoToolkit if there is none (with the wheels to install) or more than one;
/// those of activeEnvironment and siteDirectories.
llvm::Expected<probe::Located> locateEnvironmentNvcc(const core::Declaration &declaration,
                                                     const core::Environment &env,
                                                     core::Files &files, probe::Self &self);

} // namespace cudacc::pipeline
