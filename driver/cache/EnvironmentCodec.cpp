// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/EnvironmentCodec.h"
#include "driver/cache/Codec.h"

namespace cudacc::cache {

using namespace core;

static constexpr llvm::StringLiteral environmentMagic = "cuda-cc-environment 4";

template <typename Lines, typename Value>
  requires std::same_as<std::remove_const_t<Value>, PythonEnvironment>
static void describe(Lines &lines, Value &environment) {
  lines.line("prefix", environment.prefix);
  lines.rows("site", environment.sitePackages);
  lines.rows("dist", environment.distributions, [](auto &dist) {
    return std::tie(dist.name, dist.version, dist.metadata, dist.where);
  });
  lines.rows("library", environment.libraries, [](auto &each) {
    return std::tie(each.soname, each.path, each.folder, each.dist, each.version, each.metadata,
                    each.bundled);
  });
  lines.optional("torch", environment.torch,
                 [](auto &torch) { return std::tie(torch.version, torch.cuda, torch.path); });
  lines.line("machine", environment.machine);
  describeFindings(lines, environment.problems);
}

std::string serialise(const PythonEnvironment &environment) {
  return write(environmentMagic, environment);
}
std::optional<PythonEnvironment> parseEnvironment(llvm::StringRef text) {
  return read<PythonEnvironment>(environmentMagic, text);
}

} // namespace cudacc::cache
