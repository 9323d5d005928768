#include "plugins/cmake/Build.h"

namespace cudacc::cmake {

using audit::Remedy;
using llvm::StringRef;

std::vector<std::string> fixes(Remedy remedy, StringRef build, StringRef directory,
                               StringRef program) {
  std::string launcher = directory.empty() ? program.str() : (directory + "/bin/cuda-cc").str();
  std::string folder = directory.empty() ? "DIR" : directory.str();
  std::string toolchain = "-DCMAKE_TOOLCHAIN_FILE=" + folder + "/toolchain.cmake";
  std::string fresh = "configure a new build directory";
  std::string made = directory.empty() ? " (cuda-cc toolchain DIR makes it)" : "";
  switch (remedy) {
  case Remedy::Front:
    return {fresh + " with " + toolchain + made,
            "CUDACXX=" + folder + "/bin/nvcc in the environment of a new configuration"};
  case Remedy::Launcher:
    return {"cmake " + build.str() + " -DCMAKE_CXX_LINKER_LAUNCHER=" + launcher +
                " (CMAKE_C_LINKER_LAUNCHER for C)",
            "configure with " + toolchain + made};
  case Remedy::OwnCommand:
    return {"call ${CMAKE_CUDA_COMPILER} in that command",
            "for FindCUDA: -DCUDA_NVCC_EXECUTABLE=" + folder + "/bin/nvcc"};
  case Remedy::NewTree:
    return {fresh + " with " + toolchain + made, "cmake --fresh " + build.str()};
  case Remedy::Relink:
    return {"remove the file and build again"};
  case Remedy::KeepPath:
    return {"configure with " + toolchain + made + ", or cuda_cc_target(TARGET)",
            "take out CMAKE_INSTALL_REMOVE_ENVIRONMENT_RPATH and CMAKE_SKIP_INSTALL_RPATH"};
  case Remedy::DropAbsolute:
    return {"take out INSTALL_RPATH_USE_LINK_PATH, and absolute directories of INSTALL_RPATH"};
  case Remedy::LinkCudart:
    return {"target_link_libraries(TARGET PRIVATE CUDA::cudart)",
            "enable the CUDA language where it is linked"};
  case Remedy::Refresh:
    return {"cmake " + build.str() + ", build, and look again"};
  case Remedy::Reach:
    return {"CMAKE_TOOLCHAIN_FILE=" + folder + "/toolchain.cmake in the environment reaches it",
            "cuda-cc audit of its own build directory"};
  case Remedy::Describe:
    return {"cuda-cc audit --prepare " + build.str() + ", then cmake " + build.str()};
  case Remedy::Build:
    return {"cmake --build " + build.str() + ", then look again"};
  }
  return {};
}

} // namespace cudacc::cmake
