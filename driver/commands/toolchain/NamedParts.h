// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/pipeline/System.h"

namespace cudacc::commands {

/// A part of a toolkit that a project links.
struct NamedPart {
  /// As `--with` takes it.
  std::string part;
  /// The first place that names it, relative to the project: `CMakeLists.txt:12`.
  std::string place;
};

/// The parts that the build files of \p project name, each once: CMake's targets (`CUDA::cublas`),
/// `-lcublas`, components of `find_package(CUDAToolkit)`, and the library as a quoted word, as in
/// `libraries=["cublas"]`. Folders of builds and environments are left out, and what lies deeper
/// than three folders. Empty if \p project has no build file itself. \p major: of CUDA.
std::vector<NamedPart> partsNamedBy(pipeline::System &system, const std::string &project,
                                    unsigned major);

} // namespace cudacc::commands
