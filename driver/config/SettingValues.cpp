// SPDX-License-Identifier: Apache-2.0
#include "driver/config/ParseOverride.h"
#include "driver/config/Settings.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "driver/versions/PlaceRequirement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::config {

using namespace core;
using namespace support;

/// True for `env:PATH` and `lock:PATH`.
static bool namesPath(llvm::StringRef requirement) {
  auto place = versions::PlaceRequirement::parse(requirement);
  return place && !place->path.empty();
}

bool onlyRestricts(Key key, llvm::StringRef value) {
  if (key == Key::Runtime)
    return !namesPath(value);
  if (key == Key::Severity) {
    auto change = llvm::expectedToOptional(parseSeverityChange(value));
    return change && !change->lowers();
  }
  return !value.empty() && llvm::is_contained(llvm::split(info(key).restricting, ' '), value);
}

std::string resolvePathAgainst(llvm::StringRef path, llvm::StringRef folder, Files &files) {
  if (path.empty() || path.starts_with("/") || path.starts_with("~"))
    return path.str();
  return normalizePath(joinPath(folder, path), files);
}

std::string resolveAgainst(llvm::StringRef requirement, llvm::StringRef folder, Files &files) {
  auto place = versions::PlaceRequirement::parse(requirement);
  if (!place || place->path.empty() || place->path.starts_with("/") || place->path.starts_with("~"))
    return requirement.str();
  return place->at(resolvePathAgainst(place->path, folder, files));
}

} // namespace cudacc::config
