// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/probe/toolkit/Locate.h"

namespace cudacc::pipeline {

/// The nvcc of `toolkit = "env"`: that of the environment which \p declaration names as its
/// runtime, else of the active one: `bin/nvcc` of its prefix, as conda puts it, or of a folder of
/// NVIDIA's wheels. Errors: Code::NoToolkit, with the wheels to install, or where there are
/// several; those of activeEnvironment and siteDirectories.
llvm::Expected<probe::Located> locateEnvironmentNvcc(const core::Declaration &declaration,
                                                     const core::Environment &env,
                                                     core::Files &files, probe::Self &self);

} // namespace cudacc::pipeline
