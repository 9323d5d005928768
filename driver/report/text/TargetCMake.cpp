// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/TargetCMake.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::report {

std::string quotedForCMake(llvm::StringRef text, llvm::StringRef dollar) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\' || c == ';')
      out += '\\';
    out += c == '$' ? dollar : llvm::StringRef(&c, 1);
  }
  return out + "\"";
}

/// The form that CudaCC.cmake gives to any name of a library: `nvrtc_builtins`.
static std::string keyOf(llvm::StringRef name) {
  std::string key = name.lower();
  for (char &c : key)
    if (c == '-')
      c = '_';
  return key;
}

static std::string property(llvm::StringRef name, llvm::ArrayRef<std::string> values) {
  if (values.empty())
    return "";
  std::string out = fmt::format("set_property(GLOBAL PROPERTY {}", name);
  for (const std::string &value : values)
    out += " " + quotedForCMake(value, "\\$");
  return out + ")\n";
}

std::string targetCMake(const core::Declaration &declaration, llvm::ArrayRef<LibraryPath> paths) {
  std::string out =
      "# The target of this toolchain directory, for CudaCC.cmake; written by cuda-cc "
      "toolchain.\n";
  std::vector<std::string> runtime;
  for (const auto &each : declaration.runtime)
    runtime.push_back(each.value);
  out += property("CUDA_CC_RUNTIME", runtime);
  for (const LibraryPath &path : paths) {
    out += property("CUDA_CC_SEARCH_PATH_" + keyOf(path.name), path.elements);
    out += property("CUDA_CC_PROGRAM_PATH_" + keyOf(path.name), path.places);
  }
  return out;
}

std::string machineCMake(const core::ToolchainDirectory &directory, llvm::StringRef root) {
  std::string out = "# What this toolchain directory builds for; written by cuda-cc toolchain.\n";
  auto set = [&](llvm::StringRef name, llvm::StringRef value) {
    out += fmt::format("set({} {})\n", name, quotedForCMake(value, "\\$"));
  };
  set("CUDA_CC_MACHINE", directory.machine);
  auto compiler = [&](llvm::StringRef name, llvm::StringRef ours) {
    if (const std::string *real = directory.compiler(ours))
      set(name, *real);
  };
  compiler("CUDA_CC_C_COMPILER", directory.cName());
  compiler("CUDA_CC_CXX_COMPILER", directory.cxxName());
  if (!root.empty())
    set("CUDA_CC_FIND_ROOT", root);
  return out;
}

} // namespace cudacc::report
