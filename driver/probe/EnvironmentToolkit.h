#pragma once

#include "driver/probe/Locate.h"

namespace cudacc::probe {

/// The nvcc of `toolkit = "env"`: that of the environment which \p declaration names as its
/// runtime, else of the active one: `bin/nvcc` of its prefix, as conda puts it, or of a folder of
/// NVIDIA's wheels. Errors: Code::NoToolkit, with the wheels to install, or where there are
/// several; those of activeEnvironment and siteDirectories.
llvm::Expected<Located> locateEnvironmentNvcc(const core::Declaration &declaration,
                                              const core::Environment &env, core::Files &files,
                                              Self &self);

} // namespace cudacc::probe
