// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/PythonEnvironment.h"
#include "driver/core/Toolkit.h"
#include "driver/core/ToolkitTree.h"
#include "driver/versions/Machine.h"

namespace cudacc::probe {

/// Determines what a toolchain directory is composed of: the compiler's parts from \p toolkit (null
/// if there is no nvcc), headers and libraries from \p environment if it has CUDA (null: none),
/// then from the toolkit. If the toolkit is for another machine than \p machine, only libraries in
/// its `targets` directory for that machine are used. System directories (`/usr/include`) are never
/// merged, since host compilers search them anyway.
core::ToolkitSources findToolkitSources(const core::Toolkit *toolkit,
                                        const core::PythonEnvironment *environment,
                                        const versions::Machine &machine, core::Files &files);

} // namespace cudacc::probe
