// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/TargetToml.h"
#include "driver/support/Toml.h"

namespace cudacc::report {

using namespace core;

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

} // namespace cudacc::report
