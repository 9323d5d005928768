// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/cache/Store.h"
#include "driver/core/PythonEnvironment.h"
#include "driver/pipeline/System.h"

namespace cudacc::pipeline {

/// What lies in the environment at \p prefix, and for which machine; kept while nothing in it
/// changes.
llvm::Expected<core::PythonEnvironment> readEnvironment(System &system, cache::Store &store,
                                                        const std::string &prefix);

/// e_machine of an ELF file or an archive; 0: neither, or it cannot be read.
uint16_t machineOf(core::Files &files, llvm::StringRef path);

} // namespace cudacc::pipeline
