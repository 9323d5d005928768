// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/command/SearchPath.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace cudacc::plan {

using core::Layout;

/// `$ORIGIN` followed by \p depth times `/..`: site-packages, for an output that many folders below
/// it.
static std::string origin(size_t depth) {
  std::string text = "$ORIGIN";
  for (size_t i = 0; i < depth; ++i)
    text += "/..";
  return text;
}

static std::vector<size_t> depths(const core::Declaration &declaration) {
  if (!declaration.installDir)
    return {1, 0};
  llvm::SmallVector<llvm::StringRef, 8> parts;
  llvm::StringRef(declaration.installDir->value).split(parts, '/', -1, false);
  llvm::erase_if(parts, [](llvm::StringRef part) { return part == "."; });
  return {parts.size()};
}

std::vector<std::string> searchPath(const core::Declaration &declaration,
                                    const core::LayoutChoice &layout,
                                    llvm::ArrayRef<std::string> folders) {
  std::vector<std::string> path;
  auto add = [&](std::string element) {
    if (!llvm::is_contained(path, element))
      path.push_back(std::move(element));
  };
  if (folders.empty())
    return path;
  switch (layout.kind) {
  case Layout::None:
    break;
  case Layout::System:
    add(layout.path);
    break;
  case Layout::Conda:
  case Layout::Wheels:
    // The libraries of a conda environment are in <prefix>/lib, which is three folders above
    // <prefix>/lib/python3.N/site-packages/pkg.
    for (size_t depth : depths(declaration))
      for (const std::string &folder : folders)
        add(layout.kind == Layout::Conda || folder.empty()
                ? origin(depth + 2)
                : fmt::format("{}/{}", origin(depth), folder));
    break;
  }
  return path;
}

std::vector<std::string> developPath(llvm::ArrayRef<std::string> sitePackages,
                                     llvm::ArrayRef<std::string> folders) {
  std::vector<std::string> path;
  for (const std::string &site : sitePackages)
    for (const std::string &folder : folders)
      if (!folder.empty())
        path.push_back(fmt::format("{}/{}", site, folder));
  return path;
}

llvm::StringRef dtagsWord(const core::Declaration &declaration) {
  return declaration.dtags && declaration.dtags->value == core::Dtags::Runpath
             ? "-Wl,--enable-new-dtags"
             : "-Wl,--disable-new-dtags";
}

void passToLinker(std::vector<std::string> &out, llvm::StringRef option, llvm::StringRef value) {
  if (!value.contains(',')) {
    out.push_back(fmt::format("-Wl,{},{}", option, value));
    return;
  }
  out.insert(out.end(), {"-Xlinker", option.str(), "-Xlinker", value.str()});
}

void passFileToLinker(std::vector<std::string> &out, llvm::StringRef file) {
  out.insert(out.end(), {"-Xlinker", file.str()});
}

} // namespace cudacc::plan
