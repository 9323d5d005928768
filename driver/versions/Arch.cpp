// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/Arch.h"
#include "driver/versions/Format.h"

namespace cudacc::versions {

std::string Arch::str(llvm::StringRef prefix) const {
  std::string text = fmt::format("{}{}", prefix, number);
  if (suffix)
    text += suffix;
  return text;
}

std::optional<Arch> Arch::parse(llvm::StringRef text) {
  for (llvm::StringRef prefix : {"sm_", "compute_", "lto_"})
    if (text.consume_front(prefix))
      break;
  Arch arch;
  if (!text.empty() && (text.back() == 'a' || text.back() == 'f')) {
    arch.suffix = text.back();
    text = text.drop_back();
  }
  // Two digits up to sm_90, three from sm_100.
  if (text.size() < 2 || text.size() > 3 || text.front() == '0' ||
      text.find_first_not_of("0123456789") != llvm::StringRef::npos)
    return std::nullopt;
  text.getAsInteger(10, arch.number);
  return arch;
}

} // namespace cudacc::versions
