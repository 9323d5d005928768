// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Declaration.h"
#include "driver/versions/Format.h"

namespace cudacc::core {

const char *str(Enforce enforce) {
  static constexpr const char *words[] = {"toolkit", "symbols", "warn", "off"};
  return words[size_t(enforce)];
}

const char *str(Layout layout) {
  static constexpr const char *words[] = {"wheels", "system", "conda", "none"};
  return words[size_t(layout)];
}

std::string LayoutChoice::str() const {
  std::string text = core::str(kind);
  return path.empty() ? text : fmt::format("{}:{}", text, path);
}

const char *str(Dtags dtags) { return dtags == Dtags::Rpath ? "rpath" : "runpath"; }

const char *str(ManifestMode mode) {
  static constexpr const char *words[] = {"declared", "always", "never"};
  return words[size_t(mode)];
}

} // namespace cudacc::core
