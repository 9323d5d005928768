#include "driver/report/text/MesonFile.h"

namespace cudacc::report {

/// Meson doubles every backslash of a machine file before it reads texts, so nothing can be escaped
/// there, and between three quotes a backslash stays doubled (1.0.1 and 1.12.1).
static std::string mesonText(llvm::StringRef text) {
  llvm::StringRef mark = text.contains('\'') ? "'''" : "'";
  return (mark + text + mark).str();
}

static std::string launched(const core::ToolchainDirectory &directory, llvm::StringRef language,
                            llvm::StringRef name) {
  const std::string *real = directory.compiler(name);
  return real ? (language + " = [cuda_cc / 'bin/cuda-cc', ").str() + mesonText(*real) + "]\n" : "";
}

std::string mesonFile(const core::ToolchainDirectory &directory, llvm::StringRef machine,
                      llvm::ArrayRef<std::pair<std::string, std::string>> binutils) {
  std::string out = machine.empty() ? "# meson setup --native-file" : "# meson setup --cross-file";
  out += "; written by cuda-cc toolchain.\n"
         "# dependency('cuda') asks CUDA_PATH: set it to this directory, or source its activate.\n"
         "[constants]\ncuda_cc = " +
         mesonText(directory.path) + "\n\n[binaries]\n";
  out += launched(directory, "c", directory.cName());
  out += launched(directory, "cpp", directory.cxxName());
  if (!directory.nvcc.empty())
    out += "cuda = cuda_cc / 'bin/nvcc'\n";
  for (const auto &[word, path] : binutils)
    out += word + " = " + mesonText(path) + "\n";
  if (!machine.empty())
    out += ("\n[host_machine]\nsystem = 'linux'\ncpu_family = '" + machine + "'\ncpu = '" +
            machine + "'\nendian = 'little'\n")
               .str();
  return out;
}

} // namespace cudacc::report
