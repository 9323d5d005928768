// SPDX-License-Identifier: Apache-2.0
#include "driver/support/PipCommand.h"
#include "driver/versions/Format.h"

namespace cudacc::support {

using llvm::StringRef;

std::string uninstallCommand(StringRef install) {
  static constexpr StringRef uv = "uv pip ", verb = "install";
  bool isOfUv = install.starts_with(uv);
  size_t at = isOfUv ? uv.size() : install.rfind(verb);
  StringRef options = install.substr(at + verb.size());
  // uv does not ask; for a folder alone it takes the machine's Python only if it is told to.
  StringRef own = !isOfUv ? " -y" : options.starts_with(" --target=") ? " --system" : "";
  return fmt::format("{}un{}{}{}", install.take_front(at), verb, own, options);
}

} // namespace cudacc::support
