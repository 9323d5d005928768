#include "driver/config/ParseOverride.h"
#include "driver/config/Settings.h"
#include "driver/support/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::config {

using namespace core;

bool onlyRestricts(Key key, llvm::StringRef value) {
  if (key == Key::Runtime)
    return placeIn(value).empty();
  if (key == Key::Severity) {
    auto change = parseSeverityChange(value);
    if (change)
      return !change->lowers();
    llvm::consumeError(change.takeError());
    return false;
  }
  return !value.empty() && llvm::is_contained(llvm::split(info(key).restricting, ' '), value);
}

std::string standingPath(llvm::StringRef path, llvm::StringRef folder, Files &files) {
  if (path.empty() || path.starts_with("/") || path.starts_with("~"))
    return path.str();
  return support::tidy(support::joinPath(folder, path), files);
}

llvm::StringRef placeIn(llvm::StringRef requirement) {
  llvm::StringRef path = requirement.trim();
  return path.consume_front("env:") || path.consume_front("lock:") ? path.trim() : "";
}

std::string standing(llvm::StringRef requirement, llvm::StringRef folder, Files &files) {
  llvm::StringRef path = placeIn(requirement);
  if (path.empty() || path.starts_with("/") || path.starts_with("~"))
    return requirement.str();
  llvm::StringRef form = requirement.trim().starts_with("env:") ? "env:" : "lock:";
  return form.str() + standingPath(path, folder, files);
}

} // namespace cudacc::config
