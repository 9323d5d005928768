#include "driver/report/text/TargetToml.h"
#include "driver/support/Toml.h"

namespace cudacc::report {

using namespace core;
using support::Value;

static void put(Value &table, llvm::StringRef key, llvm::StringRef text) {
  if (!text.empty())
    table.add(key, Value::of(text));
}

static void put(Value &table, llvm::StringRef key, llvm::ArrayRef<Setting<std::string>> settings) {
  std::vector<std::string> texts;
  for (const Setting<std::string> &each : settings)
    texts.push_back(each.value);
  table.add(key, Value::of(texts));
}

static Value declared(const ToolchainDirectory &directory) {
  const Declaration &declaration = directory.declaration;
  Value out = Value::table();
  put(out, "runtime", declaration.runtime);
  if (!declaration.runtime.empty())
    put(out, "from", declaration.runtime.front().origin.str());
  put(out, "enforce", str(declaration.enforce.value));
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

static Value libraries(const Target &target) {
  Value out;
  out.kind = Value::Kind::List;
  for (const TargetLibrary &library : target.libraries) {
    Value &row = out.items.emplace_back(Value::table());
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
  Value root = Value::table();
  Value &schema = root.add("schema", Value::of("1")).items.back();
  schema.kind = Value::Kind::Number;
  put(root, "made-by", "cuda-cc " + directory.program);
  root.add("declared", declared(directory));
  if (target.line.known()) {
    Value &row = root.add("target", Value::table()).items.back();
    put(row, "line", target.line.str());
    put(row, "driver", target.driver);
  }
  if (toolkit) {
    const Component *nvcc = toolkit->find("nvcc");
    Value &row = root.add("toolkit", Value::table()).items.back();
    put(row, "nvcc", directory.nvcc);
    put(row, "version", nvcc ? nvcc->version : "");
    put(row, "root", toolkit->root);
  }
  Value &compilers = root.add("compilers", Value::table()).items.back();
  for (const auto &[name, real] : directory.compilers)
    put(compilers, name, real);
  root.add("library", libraries(target));
  return "# What this toolchain directory stands for; written by cuda-cc toolchain.\n" +
         support::writeToml(root);
}

} // namespace cudacc::report
