// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/Format.h"
#include "plugins/meson/Build.h"

namespace cudacc::meson {

using audit::Remedy;
using llvm::StringRef;

std::vector<std::string> fixes(Remedy remedy, StringRef build, StringRef directory,
                               StringRef program) {
  std::string launcher =
      directory.empty() ? program.str() : fmt::format("{}/bin/cuda-cc", directory);
  std::string folder = directory.empty() ? "DIR" : directory.str();
  std::string made = directory.empty() ? " (cuda-cc toolchain DIR makes it)" : "";
  std::string fresh = fmt::format(
      "configure a new build directory with --native-file={}/native.ini{}", folder, made);
  switch (remedy) {
  case Remedy::Front:
  case Remedy::NewTree:
    return {fresh};
  case Remedy::Launcher:
    return {fresh, fmt::format("cpp = ['{}', 'g++'] in a native file of yours", launcher)};
  case Remedy::OwnCommand:
    return {fmt::format(". {}/activate before meson setup, so that find_program('nvcc') finds it",
                        folder)};
  case Remedy::Relink:
    return {"remove the file and build again"};
  case Remedy::KeepPath:
    return {"take it out of build_rpath, or put it into install_rpath, too"};
  case Remedy::DropAbsolute:
    return {"take absolute directories out of install_rpath and link_args"};
  case Remedy::LinkCudart:
    return {"dependencies: dependency('cuda', modules: ['cudart'])"};
  case Remedy::Refresh:
    return {fmt::format("meson setup --reconfigure {}, build, and look again", build)};
  case Remedy::Reach:
    return {"cuda-cc audit of its own build directory"};
  case Remedy::Describe:
    return {fmt::format("meson setup --reconfigure {}", build)};
  case Remedy::Build:
    return {fmt::format("meson compile -C {}, then look again", build)};
  }
  return {};
}

} // namespace cudacc::meson
