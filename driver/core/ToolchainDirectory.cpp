// SPDX-License-Identifier: Apache-2.0
#include "driver/core/ToolchainDirectory.h"

namespace cudacc::core {

const std::string *ToolchainDirectory::compiler(llvm::StringRef name) const {
  for (const auto &[ours, real] : compilers)
    if (ours == name)
      return &real;
  return nullptr;
}

static bool isCxx(llvm::StringRef name) { return name.contains("++"); }

llvm::StringRef ToolchainDirectory::cName() const {
  for (const auto &[ours, real] : compilers)
    if (!isCxx(ours))
      return ours;
  return {};
}

llvm::StringRef ToolchainDirectory::cxxName() const {
  for (const auto &[ours, real] : compilers)
    if (isCxx(ours))
      return ours;
  return {};
}

} // namespace cudacc::core
