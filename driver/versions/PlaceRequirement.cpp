// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/PlaceRequirement.h"

namespace cudacc::versions {

std::optional<PlaceRequirement> PlaceRequirement::parse(llvm::StringRef text) {
  text = text.trim();
  if (text == "env")
    return PlaceRequirement{Kind::Environment, "", true};
  if (text.consume_front("env:"))
    return PlaceRequirement{Kind::Environment, text.trim()};
  if (text.consume_front("lock:"))
    return PlaceRequirement{Kind::Lock, text.trim()};
  return std::nullopt;
}

std::string PlaceRequirement::at(llvm::StringRef path) const {
  return (kind == Kind::Lock ? "lock:" : "env:") + path.str();
}

} // namespace cudacc::versions
