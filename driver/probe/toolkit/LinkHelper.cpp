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

std::string fetchHelperOf(llvm::StringRef self) {
  return resolvePath(parentOf(self), fetchHelperPlace);
}

std::optional<TreeEntry> linkInside(llvm::StringRef inside, std::string target) {
  if (!inside.consume_front("../") || inside.contains("../"))
    return std::nullopt;
  TreeEntry entry;
  entry.path = inside.str();
  entry.text = std::move(target);
  entry.namesPlace = true;
  return entry;
}

std::optional<TreeEntry> linkHelperLinkFor(llvm::StringRef self) {
  return linkInside(linkHelperPlace, linkHelperOf(self));
}

std::optional<TreeEntry> fetchHelperLinkFor(llvm::StringRef self) {
  return linkInside(fetchHelperPlace, fetchHelperOf(self));
}

} // namespace cudacc::probe
