// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/DirectoryFiles.h"
#include "driver/support/Toml.h"
#include "driver/versions/Format.h"

namespace cudacc::report {

using namespace core;

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

static void put(support::Value &table, llvm::StringRef key, llvm::StringRef text) {
  if (!text.empty())
    table.add(key, support::Value::of(text));
}

static void put(support::Value &table, llvm::StringRef key,
                llvm::ArrayRef<Setting<std::string>> settings) {
  std::vector<std::string> texts;
  for (const Setting<std::string> &each : settings)
    texts.push_back(each.value);
  table.add(key, support::Value::of(texts));
}

static support::Value declared(const ToolchainDirectory &directory) {
  const Declaration &declaration = directory.declaration;
  support::Value out = support::Value::table();
  put(out, "runtime", declaration.runtime);
  if (!declaration.runtime.empty())
    put(out, "from", declaration.runtime.front().origin.str());
  put(out, "enforce", str(declaration.enforce.value));
  if (declaration.layout.origin)
    put(out, "layout", declaration.layout.value.str());
  if (declaration.installDir)
    put(out, "install-dir", declaration.installDir->value);
  if (declaration.dtags)
    put(out, "dtags", str(declaration.dtags->value));
  if (!declaration.launcher.empty())
    put(out, "launcher", declaration.launcher);
  put(out, "host-compiler", declaration.hostCompiler.value);
  put(out, "file", directory.declarationFile);
  put(out, "digest", directory.declarationDigest);
  return out;
}

static support::Value libraries(const Target &target) {
  support::Value out;
  out.kind = support::Value::Kind::List;
  for (const TargetLibrary &library : target.libraries) {
    support::Value &row = out.items.emplace_back(support::Value::table());
    put(row, "soname", library.soname);
    put(row, "dist", library.dist);
    put(row, "version", library.version.release.empty() ? "" : library.version.str());
    put(row, "folder", library.folder);
    put(row, "origin", library.origin);
  }
  return out;
}

std::string targetToml(const ToolchainDirectory &directory, const Target &target,
                       const Toolkit *toolkit) {
  support::Value root = support::Value::table();
  support::Value &schema = root.add("schema", support::Value::of("1")).items.back();
  schema.kind = support::Value::Kind::Number;
  put(root, "made-by", "cuda-cc " + directory.program);
  root.add("declared", declared(directory));
  if (target.line.known()) {
    support::Value &row = root.add("target", support::Value::table()).items.back();
    put(row, "line", target.line.str());
    put(row, "driver", target.driver);
  }
  if (toolkit) {
    const Component *nvcc = toolkit->find("nvcc");
    support::Value &row = root.add("toolkit", support::Value::table()).items.back();
    put(row, "nvcc", directory.nvcc);
    put(row, "version", nvcc ? nvcc->version : "");
    put(row, "root", toolkit->root);
  }
  support::Value &compilers = root.add("compilers", support::Value::table()).items.back();
  for (const auto &[name, real] : directory.compilers)
    put(compilers, name, real);
  root.add("library", libraries(target));
  return "# The target of this toolchain directory; written by cuda-cc toolchain.\n" +
         support::writeToml(root);
}

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
