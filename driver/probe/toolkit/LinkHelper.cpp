// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/toolkit/LinkHelper.h"
#include "driver/probe/toolkit/TorchTablePlace.h"
#include "driver/support/Paths.h"

namespace cudacc::probe {

using namespace core;
using namespace support;

std::string linkHelperOf(llvm::StringRef self) {
  return resolvePath(parentOf(self), linkHelperPlace);
}

std::optional<TreeEntry> linkHelperLinkFor(llvm::StringRef self) {
  llvm::StringRef inside = linkHelperPlace;
  if (!inside.consume_front("../") || inside.contains("../"))
    return std::nullopt;
  TreeEntry entry;
  entry.path = inside.str();
  entry.text = linkHelperOf(self);
  entry.namesPlace = true;
  return entry;
}

} // namespace cudacc::probe
