// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/pipeline/Found.h"

namespace cudacc::pipeline {

/// What the directory needs from which nvcc starts cuda-cc in nvlink's place. `program` is left
/// empty. \p toolkit: nvcc's, or null; \p place as for find(). Errors: no runtime is declared, it
/// has no nvJitLink, or there is no place for the directory.
llvm::Expected<DeviceLinkerParts> findDeviceLinker(System &system, cache::Store &store,
                                                   const Call &call, const core::Target &target,
                                                   const core::Toolkit *toolkit,
                                                   const std::string *place);

/// Adds the directory to \p plan. Returns the command of \p call, with the directory's nvcc, up to
/// the caller's arguments.
core::Command planDeviceLinker(const Call &call, const DeviceLinkerParts &parts,
                               llvm::StringRef place, core::Plan &plan);

} // namespace cudacc::pipeline
