// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/cache/Store.h"
#include "driver/core/PythonEnvironment.h"
#include "driver/pipeline/System.h"

namespace cudacc::pipeline {

/// The contents of the environment at \p prefix and the machine it is for; kept in \p store until
/// one of its inputs changes.
llvm::Expected<core::PythonEnvironment> readEnvironment(System &system, cache::Store &store,
                                                        const std::string &prefix);

/// e_machine of an ELF file or archive; 0 if it is neither or cannot be read.
uint16_t elfMachineOf(core::Files &files, llvm::StringRef path);

} // namespace cudacc::pipeline
