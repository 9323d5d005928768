// SPDX-License-Identifier: Apache-2.0
#include "driver/support/Paths.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace cudacc::support {

std::string joinPath(llvm::StringRef folder, llvm::StringRef name) {
  if (name.starts_with("/") || folder.empty())
    return name.str();
  std::string result;
  result.reserve(folder.size() + 1 + name.size());
  result += folder;
  if (result.back() != '/')
    result += '/';
  result += name;
  return result;
}

llvm::StringRef parentOf(llvm::StringRef path) {
  path = path.size() > 1 ? path.rtrim('/') : path;
  size_t slash = path.rfind('/');
  if (slash == llvm::StringRef::npos)
    return "";
  return slash == 0 ? path.take_front(1) : path.take_front(slash).rtrim('/');
}

llvm::StringRef nameOf(llvm::StringRef path) {
  path = path.rtrim('/');
  size_t slash = path.rfind('/');
  return slash == llvm::StringRef::npos ? path : path.drop_front(slash + 1);
}

bool isBelow(llvm::StringRef path, llvm::StringRef folder) {
  return !folder.empty() && path.consume_front(folder.rtrim('/')) &&
         (path.empty() || path.starts_with("/"));
}

llvm::StringRef pathBelow(llvm::StringRef path, llvm::StringRef folder) {
  return path.consume_front(folder) && path.consume_front("/") ? path : "";
}

bool consumeOrigin(llvm::StringRef &entry) {
  llvm::StringRef rest = entry;
  if (!rest.consume_front("${ORIGIN}") &&
      !(rest.consume_front("$ORIGIN") &&
        (rest.empty() || !(llvm::isAlnum(rest.front()) || rest.front() == '_'))))
    return false;
  entry = rest;
  return true;
}

std::string resolvePath(llvm::StringRef folder, llvm::StringRef path) {
  llvm::SmallString<128> whole(joinPath(folder, path));
  llvm::sys::path::remove_dots(whole, /*remove_dot_dot=*/true);
  return whole.str().str();
}

std::string absolute(llvm::StringRef path, core::Files &files) {
  return path.starts_with("/") ? path.str() : joinPath(files.workingDirectory(), path);
}

std::string expandHome(llvm::StringRef path, llvm::StringRef home) {
  if (home.empty() || (path != "~" && !path.starts_with("~/")))
    return path.str();
  return path.size() <= 2 ? home.str() : joinPath(home, path.drop_front(2));
}

std::string normalizePath(llvm::StringRef path, core::Files &files) {
  llvm::SmallVector<llvm::StringRef, 16> parts;
  path.split(parts, '/', -1, false);
  std::string result;
  for (llvm::StringRef part : parts) {
    if (part == ".")
      continue;
    if (part == ".." && !result.empty() && nameOf(result) != ".." && !files.readLink(result)) {
      result.resize(result.rfind('/'));
      continue;
    }
    result += '/';
    result += part;
  }
  if (!path.starts_with("/"))
    return result.empty() ? "." : result.substr(1);
  return result.empty() ? "/" : result;
}

} // namespace cudacc::support
