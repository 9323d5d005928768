#include "plugins/buildsys/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::buildsys {

using llvm::StringRef;

std::string absolute(StringRef folder, StringRef path) {
  std::string whole =
      path.starts_with("/") || folder.empty() ? path.str() : (folder + "/" + path).str();
  if (!StringRef(whole).contains("/.") && !StringRef(whole).contains("//"))
    return whole;
  llvm::SmallVector<StringRef, 16> parts;
  for (StringRef part : llvm::split(whole, '/')) {
    if (part == ".." && !parts.empty())
      parts.pop_back();
    else if (!part.empty() && part != "." && part != "..")
      parts.push_back(part);
  }
  return (whole.front() == '/' ? "/" : "") + llvm::join(parts, "/");
}

bool isBelow(StringRef path, StringRef folder) {
  return path.consume_front(folder.rtrim('/')) && path.starts_with("/");
}

StringRef nameOf(StringRef path) { return path.substr(path.rfind('/') + 1); }

} // namespace cudacc::buildsys
