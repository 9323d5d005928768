#include "plugins/meson/Build.h"

namespace cudacc::meson {

using audit::Remedy;
using llvm::StringRef;

std::vector<std::string> fixes(Remedy remedy, StringRef build, StringRef directory,
                               StringRef program) {
  std::string launcher = directory.empty() ? program.str() : (directory + "/bin/cuda-cc").str();
  std::string folder = directory.empty() ? "DIR" : directory.str();
  std::string made = directory.empty() ? " (cuda-cc toolchain DIR makes it)" : "";
  std::string fresh =
      "configure a new build directory with --native-file=" + folder + "/native.ini" + made;
  switch (remedy) {
  case Remedy::Front:
  case Remedy::NewTree:
    return {fresh};
  case Remedy::Launcher:
    return {fresh, "cpp = ['" + launcher + "', 'g++'] in a native file of yours"};
  case Remedy::OwnCommand:
    return {". " + folder + "/activate before meson setup, so that find_program('nvcc') finds it"};
  case Remedy::Relink:
    return {"remove the file and build again"};
  case Remedy::KeepPath:
    return {"take it out of build_rpath, or put it into install_rpath, too"};
  case Remedy::DropAbsolute:
    return {"take absolute directories out of install_rpath and link_args"};
  case Remedy::LinkCudart:
    return {"dependencies: dependency('cuda', modules: ['cudart'])"};
  case Remedy::Refresh:
    return {"meson setup --reconfigure " + build.str() + ", build, and look again"};
  case Remedy::Reach:
    return {"cuda-cc audit of its own build directory"};
  case Remedy::Describe:
    return {"meson setup --reconfigure " + build.str()};
  case Remedy::Build:
    return {"meson compile -C " + build.str() + ", then look again"};
  }
  return {};
}

} // namespace cudacc::meson
