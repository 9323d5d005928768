// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/MemoryFiles.h"
#include <string>

namespace cudacc::test {

/// The content of a CUDA program: only the text that names its release.
inline std::string cudaTool(const std::string &version) {
  return std::string("\x7f"
                     "ELF") +
         std::string(300, '\0') + "Cuda compilation tools, release " +
         version.substr(0, version.rfind('.')) + ", V" + version + std::string(500, '\0');
}

/// Adds nvcc, its parts and the core headers of one release at \p root. \p number: CUDA_VERSION.
inline void addToolkit(MemoryFiles &files, const std::string &root, const std::string &version,
                       unsigned number) {
  files.program(root + "/bin/nvcc", cudaTool(version)).file(root + "/bin/nvcc.profile", R"(
TOP              = $(_HERE_)/..
INCLUDES        +=  "-I$(TOP)/include" $(_SPACE_)
LIBRARIES        =+ $(_SPACE_) "-L$(TOP)/lib64"
)");
  files.program(root + "/bin/ptxas", cudaTool(version));
  files.program(root + "/nvvm/bin/cicc", cudaTool(version));
  std::string text = std::to_string(number) + "\n";
  files.file(root + "/include/cuda.h", "#define CUDA_VERSION " + text);
  files.file(root + "/include/cuda_runtime_api.h", "#define CUDART_VERSION  " + text);
  files.directory(root + "/lib64");
}

} // namespace cudacc::test
