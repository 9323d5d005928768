// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/PythonEnvironment.h"
#include "driver/core/Toolkit.h"
#include "driver/core/ToolkitTree.h"
#include "driver/versions/Machine.h"

namespace cudacc::probe {

/// Where the parts of a toolchain directory come from: the compiler's from \p toolkit (null: there
/// is no nvcc), headers and libraries from \p environment where it has CUDA (null: none), and
/// behind those from the toolkit. Of a toolkit for another machine than \p machine libraries count
/// where they lie below `targets` for that one. Folders of the system (`/usr/include`) are never
/// merged: host compilers find them by themselves.
core::ToolkitSources findToolkitSources(const core::Toolkit *toolkit,
                                        const core::PythonEnvironment *environment,
                                        const versions::Machine &machine, core::Files &files);

} // namespace cudacc::probe
