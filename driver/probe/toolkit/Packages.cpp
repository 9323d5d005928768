// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/toolkit/Packages.h"
#include "driver/support/Json.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "driver/versions/Requirement.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::probe {

using namespace support;
static bool isNvidiaInfo(llvm::StringRef name) {
  return name.ends_with(".dist-info") && name.starts_with_insensitive("nvidia");
}

std::string sitePackagesOf(llvm::StringRef path, core::Files &files) {
  for (llvm::StringRef folder = parentOf(path); folder.size() > 1; folder = parentOf(folder)) {
    llvm::StringRef name = nameOf(folder);
    if (name == "site-packages" || name == "dist-packages")
      return folder.str();
    if (name == "nvidia" && llvm::any_of(files.list(parentOf(folder)), isNvidiaInfo))
      return parentOf(folder).str();
  }
  return "";
}

std::vector<Package> distributionsIn(llvm::StringRef sitePackages, core::Files &files) {
  std::vector<Package> found;
  for (const std::string &name : files.list(sitePackages)) {
    llvm::StringRef stem = name;
    if (!isNvidiaInfo(stem) || !stem.consume_back(".dist-info"))
      continue;
    auto [dist, version] = stem.rsplit('-');
    if (!version.empty())
      found.push_back({versions::Requirement::normalise(dist), version.str(), name});
  }
  return found;
}

std::vector<Package> condaPackagesIn(llvm::StringRef prefix, core::Files &files) {
  std::vector<Package> found;
  for (const std::string &name : files.list(joinPath(prefix, "conda-meta"))) {
    llvm::StringRef stem = name;
    if (!stem.consume_back(".json") || !stem.starts_with("cuda-"))
      continue;
    auto [package, version] = stem.rsplit('-').first.rsplit('-');
    if (!version.empty())
      found.push_back({package.str(), version.str(), name});
  }
  return found;
}

support::Value readVersionJson(llvm::StringRef root, core::Files &files) {
  auto text = llvm::expectedToOptional(files.read(joinPath(root, "version.json"), 64 << 10));
  if (!text)
    return {};
  support::TextError error;
  return support::readJson(*text, error).value_or(support::Value{});
}

llvm::StringRef versionInJson(const support::Value &versions, llvm::StringRef component) {
  const support::Value *row = versions.find(component);
  return row ? row->textAt("version") : "";
}

} // namespace cudacc::probe
