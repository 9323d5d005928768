// SPDX-License-Identifier: Apache-2.0
#include "driver/support/ShellWord.h"
#include "driver/versions/Format.h"
#include "plugins/meson/Build.h"

namespace cudacc::meson {

using audit::FixKind;
using llvm::StringRef;

std::vector<std::string> fixes(FixKind remedy, StringRef tree, StringRef directory,
                               StringRef program) {
  std::string launcher =
      directory.empty() ? program.str() : fmt::format("{}/bin/cuda-cc", directory);
  std::string build = support::shellWord(tree);
  std::string folder = directory.empty() ? "DIR" : support::shellWord(directory);
  std::string made = directory.empty() ? " (cuda-cc toolchain DIR makes it)" : "";
  std::string fresh = fmt::format(
      "configure a new build directory with --native-file={}/native.ini{}", folder, made);
  switch (remedy) {
  case FixKind::Front:
  case FixKind::NewTree:
    return {fresh};
  case FixKind::Launcher:
    return {fresh, fmt::format("cpp = ['{}', 'g++'] in a native file of yours", launcher)};
  case FixKind::OwnCommand:
    return {fmt::format(". {}/activate before meson setup, so that find_program('nvcc') finds it",
                        folder)};
  case FixKind::Relink:
    return {"remove the file and build again"};
  case FixKind::KeepPath:
    return {"take it out of build_rpath, or put it into install_rpath, too"};
  case FixKind::DropAbsolute:
    return {"take absolute directories out of install_rpath and link_args"};
  case FixKind::LinkCudart:
    return {"dependencies: dependency('cuda', modules: ['cudart'])"};
  case FixKind::Refresh:
    return {fmt::format("meson setup --reconfigure {}, build, and look again", build)};
  case FixKind::Reach:
    return {"cuda-cc audit of its own build directory"};
  case FixKind::Describe:
    return {fmt::format("meson setup --reconfigure {}", build)};
  case FixKind::Build:
    return {fmt::format("meson compile -C {}, then look again", build)};
  }
  return {};
}

} // namespace cudacc::meson
