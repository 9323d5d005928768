// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/pipeline/Found.h"

namespace cudacc::pipeline {

/// True if the shims of the call's toolchain directory stand in for exactly the compilers that nvcc
/// would start.
bool ownCompilersServe(const Call &call, const NvccHost &host);
/// There is a shim, or one can be created, at a path that nvcc accepts.
bool canShim(const Call &call, const Found &found, const std::string *place);
/// True for an nvcc link that cannot go through a shim, so that its output is checked by the
/// process in front of nvcc.
bool linksWithoutShim(const Call &call, const Found &found, const std::string *place);

} // namespace cudacc::pipeline
