// SPDX-License-Identifier: Apache-2.0
#include "driver/support/ShellWord.h"
#include "driver/versions/Format.h"
#include "plugins/cmake/Build.h"

namespace cudacc::cmake {

using audit::FixKind;
using llvm::StringRef;
using support::shellWord;

std::vector<std::string> fixes(FixKind remedy, StringRef tree, StringRef directory,
                               StringRef program) {
  std::string build = shellWord(tree);
  std::string folder = directory.empty() ? "DIR" : shellWord(directory);
  std::string launcher = directory.empty() ? shellWord(program) : folder + "/bin/cuda-cc";
  std::string toolchain = fmt::format("-DCMAKE_TOOLCHAIN_FILE={}/toolchain.cmake", folder);
  std::string fresh = "configure a new build directory";
  std::string made = directory.empty() ? " (cuda-cc toolchain DIR makes it)" : "";
  switch (remedy) {
  case FixKind::Front:
    return {fmt::format("{} with {}{}", fresh, toolchain, made),
            fmt::format("CUDACXX={}/bin/nvcc in the environment of a new configuration", folder)};
  case FixKind::Launcher:
    return {fmt::format("cmake {} -DCMAKE_CXX_LINKER_LAUNCHER={} (CMAKE_C_LINKER_LAUNCHER for C)",
                        build, launcher),
            fmt::format("configure with {}{}", toolchain, made)};
  case FixKind::OwnCommand:
    return {"call ${CMAKE_CUDA_COMPILER} in that command",
            fmt::format("for FindCUDA: -DCUDA_NVCC_EXECUTABLE={}/bin/nvcc", folder)};
  case FixKind::NewTree:
    return {fmt::format("{} with {}{}", fresh, toolchain, made),
            fmt::format("cmake --fresh {} {}, with its other options", build, toolchain)};
  case FixKind::Relink:
    return {"remove the file and build again"};
  case FixKind::KeepPath:
    return {fmt::format("configure with {}{}, or cuda_cc_target(TARGET)", toolchain, made),
            "take out CMAKE_INSTALL_REMOVE_ENVIRONMENT_RPATH and CMAKE_SKIP_INSTALL_RPATH"};
  case FixKind::DropAbsolute:
    return {"take out INSTALL_RPATH_USE_LINK_PATH, and absolute directories of INSTALL_RPATH"};
  case FixKind::LinkCudart:
    return {"target_link_libraries(TARGET PRIVATE CUDA::cudart)",
            "enable the CUDA language where it is linked"};
  case FixKind::Refresh:
    return {fmt::format("cmake {}, build, and look again", build)};
  case FixKind::Reach:
    return {fmt::format("CMAKE_TOOLCHAIN_FILE={}/toolchain.cmake in the environment reaches it",
                        folder),
            "cuda-cc audit of its own build directory"};
  case FixKind::Describe:
    return {fmt::format("cuda-cc audit --prepare {0} && cmake {0}", build)};
  case FixKind::Build:
    return {fmt::format("cmake --build {}, then look again", build)};
  }
  return {};
}

} // namespace cudacc::cmake
