#include "driver/report/text/TargetToml.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::report {

using namespace core;

/// A basic string of TOML.
static std::string text(llvm::StringRef value) {
  std::string out = "\"";
  for (char c : value) {
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (llvm::isPrint(c) || static_cast<signed char>(c) < 0)
      out += c;
    else
      out += "\\u00" + llvm::toHex(llvm::StringRef(&c, 1));
  }
  return out + "\"";
}

static std::string row(llvm::StringRef key, llvm::StringRef value) {
  return value.empty() ? "" : (key + " = " + text(value) + "\n").str();
}

static std::string list(llvm::ArrayRef<Setting<std::string>> settings) {
  std::string out;
  for (const Setting<std::string> &each : settings)
    out += (out.empty() ? "" : ", ") + text(each.value);
  return "[" + out + "]\n";
}

static std::string declared(const Declaration &declaration) {
  std::string out = "runtime = " + list(declaration.runtime);
  if (!declaration.runtime.empty())
    out += row("from", declaration.runtime.front().origin.str());
  out += row("enforce", str(declaration.enforce.value));
  out += row("layout", declaration.layout.value.str());
  if (declaration.installDir)
    out += row("install-dir", declaration.installDir->value);
  if (declaration.dtags)
    out += row("dtags", str(declaration.dtags->value));
  if (!declaration.launcher.empty())
    out += "launcher = " + list(declaration.launcher);
  return out + row("host-compiler", declaration.hostCompiler.value);
}

static std::string libraries(const Target &target) {
  std::string out;
  for (const TargetLibrary &library : target.libraries)
    out += "\n[[library]]\n" + row("soname", library.soname) + row("dist", library.dist) +
           row("version", library.version.release.empty() ? "" : library.version.str()) +
           row("folder", library.folder) + row("origin", library.origin);
  return out;
}

std::string targetToml(const ToolchainDirectory &directory, const Target &target,
                       const Toolkit *toolkit) {
  std::string out = "# What this toolchain directory stands for; written by cuda-cc toolchain.\n"
                    "schema = 1\n";
  out += row("made-by", "cuda-cc " + directory.program);
  out += "\n[declared]\n" + declared(directory.declaration);
  out += row("file", directory.declarationFile) + row("digest", directory.declarationDigest);
  if (target.line.known())
    out += "\n[target]\n" + row("line", target.line.str()) + row("driver", target.driver);
  if (toolkit) {
    const Component *nvcc = toolkit->find("nvcc");
    out += "\n[toolkit]\n" + row("nvcc", directory.nvcc) +
           row("version", nvcc ? nvcc->version : "") + row("root", toolkit->root);
  }
  out += "\n[compilers]\n";
  for (const auto &[name, real] : directory.compilers)
    out += text(name) + " = " + text(real) + "\n";
  return out + libraries(target);
}

} // namespace cudacc::report
