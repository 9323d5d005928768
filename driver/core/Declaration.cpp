// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Declaration.h"
#include "driver/versions/EnumWords.h"
#include "driver/versions/Format.h"

namespace cudacc::core {

const char *str(Enforce enforce) {
  static constexpr const char *words[] = {"toolkit", "symbols", "warn", "off"};
  return versions::entryOf<Enforce::Off>(words, enforce);
}

const char *str(Layout layout) {
  static constexpr const char *words[] = {"wheels", "system", "conda", "none"};
  return versions::entryOf<Layout::None>(words, layout);
}

std::string LayoutChoice::str() const {
  std::string text = core::str(kind);
  return path.empty() ? text : fmt::format("{}:{}", text, path);
}

const char *str(Dtags dtags) { return dtags == Dtags::Rpath ? "rpath" : "runpath"; }
const char *str(DeviceLinker by) { return by == DeviceLinker::Runtime ? "runtime" : "nvlink"; }
const char *str(Backend backend) { return backend == Backend::Ninja ? "ninja" : "nvcc"; }
std::string str(Jobs jobs) { return jobs.count ? fmt::format("{}", jobs.count) : "auto"; }

const char *str(ManifestMode mode) {
  static constexpr const char *words[] = {"declared", "always", "never"};
  return versions::entryOf<ManifestMode::Never>(words, mode);
}

} // namespace cudacc::core
