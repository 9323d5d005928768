// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/MesonFile.h"
#include "driver/versions/Format.h"

namespace cudacc::report {

/// Meson doubles every backslash of a machine file before it parses strings, so nothing can be
/// escaped; in triple quotes a backslash stays doubled (1.0.1 and 1.12.1).
static std::string mesonText(llvm::StringRef text) {
  llvm::StringRef mark = text.contains('\'') ? "'''" : "'";
  return fmt::format("{0}{1}{0}", mark, text);
}

static std::string launched(const core::ToolchainDirectory &directory, llvm::StringRef language,
                            llvm::StringRef name) {
  const std::string *real = directory.compiler(name);
  return real ? fmt::format("{} = [cuda_cc / 'bin/cuda-cc', {}]\n", language, mesonText(*real))
              : "";
}

std::string mesonFile(const core::ToolchainDirectory &directory, llvm::StringRef machine,
                      llvm::ArrayRef<std::pair<std::string, std::string>> binutils) {
  std::string out = machine.empty() ? "# meson setup --native-file" : "# meson setup --cross-file";
  out += fmt::format(
      "; written by cuda-cc toolchain.\n"
      "# dependency('cuda') asks CUDA_PATH: set it to this directory, or source its activate.\n"
      "[constants]\ncuda_cc = {}\n\n[binaries]\n",
      mesonText(directory.path));
  out += launched(directory, "c", directory.cName());
  out += launched(directory, "cpp", directory.cxxName());
  if (!directory.nvcc.empty())
    out += "cuda = cuda_cc / 'bin/nvcc'\n";
  for (const auto &[word, path] : binutils)
    out += fmt::format("{} = {}\n", word, mesonText(path));
  if (!machine.empty())
    out += fmt::format(
        "\n[host_machine]\nsystem = 'linux'\ncpu_family = '{0}'\ncpu = '{0}'\nendian = 'little'\n",
        machine);
  return out;
}

} // namespace cudacc::report
