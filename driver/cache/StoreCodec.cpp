// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/StoreCodec.h"
#include "driver/cache/Codec.h"

namespace cudacc::cache {

using namespace core;

static constexpr llvm::StringLiteral toolkitMagic = "cuda-cc-toolkit 4";
static constexpr llvm::StringLiteral hostMagic = "cuda-cc-host 3";

template <typename Lines, typename Value>
  requires std::same_as<std::remove_const_t<Value>, Toolkit>
static void describe(Lines &lines, Value &toolkit) {
  lines.line("nvcc", toolkit.nvcc);
  lines.line("driver", toolkit.driver);
  lines.line("root", toolkit.root);
  lines.line("layout", toolkit.layout);
  lines.rows("part", toolkit.components, [](auto &part) {
    return std::tie(part.name, part.path, part.cuda.major, part.cuda.minor, part.version,
                    part.evidence);
  });
  lines.rows("include", toolkit.includeDirs);
  lines.rows("system", toolkit.systemIncludeDirs);
  lines.rows("library", toolkit.libraryDirs);
  lines.rows("path", toolkit.pathDirs);
  lines.rows("conflict", toolkit.conflicts);
}

template <typename Lines, typename Value>
  requires std::same_as<std::remove_const_t<Value>, HostCompiler>
static void describe(Lines &lines, Value &compiler) {
  lines.line("path", compiler.path);
  lines.line("family", compiler.family);
  lines.line("version", compiler.version);
  lines.line("machine", compiler.machine);
  lines.rows("c", compiler.cIncludes);
  lines.rows("c++", compiler.cxxIncludes);
  lines.rows("library", compiler.libraryDirs);
  lines.line("library-path-at", compiler.libraryPathAt);
}

std::string serialise(const Toolkit &toolkit) { return write(toolkitMagic, toolkit); }
std::optional<Toolkit> parseToolkit(llvm::StringRef text) {
  return read<Toolkit>(toolkitMagic, text);
}

std::string serialise(const HostCompiler &compiler) { return write(hostMagic, compiler); }
std::optional<HostCompiler> parseHostCompiler(llvm::StringRef text) {
  return read<HostCompiler>(hostMagic, text);
}

} // namespace cudacc::cache
