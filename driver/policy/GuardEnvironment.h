#pragma once

#include "driver/policy/Guard.h"
#include "driver/policy/InstalledCuda.h"

namespace cudacc::policy {

/// What does not fit together among the libraries that \p target took from the environment, and
/// what is there for another CUDA major in place of one for this (RL-3 to RL-9). What could not be
/// learnt about them is not repeated.
std::vector<core::Finding> judgeEnvironment(const core::PythonEnvironment &environment,
                                            llvm::ArrayRef<PlacedLibrary> libraries,
                                            const core::Target &target,
                                            const facts::Supplement *more);

} // namespace cudacc::policy
