// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/EnvironmentToolkit.h"
#include "driver/config/ActiveEnvironment.h"
#include "driver/core/Diagnostic.h"
#include "driver/probe/python/Environment.h"
#include "driver/probe/python/SitePackages.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "driver/versions/PlaceRequirement.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::pipeline {

using namespace core;
using namespace support;
using llvm::StringRef;

static llvm::Expected<std::string> prefixOf(const Declaration &declaration, const Environment &env,
                                            Files &files) {
  for (const Setting<std::string> &each : declaration.runtime)
    if (auto place = versions::PlaceRequirement::parse(each.value);
        place && place->kind == versions::PlaceRequirement::Kind::Environment && !place->isActive)
      return normalizePath(absolute(expandHome(place->path, env.getOr("HOME")), files), files);
  return config::activeEnvironment(env, files);
}

static std::string settingOf(const Declaration &declaration) {
  const Origin &origin = declaration.toolkit.origin;
  return origin.kind == Origin::Kind::File ? fmt::format("toolkit in {}", origin) : origin.str();
}

static llvm::Error noNvcc(const Declaration &declaration, const std::string &prefix, bool isConda) {
  std::vector<std::string> fixes;
  if (isConda)
    fixes.push_back(fmt::format("conda install -p {} cuda-nvcc", prefix));
  fixes.push_back("pip install \"cuda-toolkit[nvcc,cudart,cccl]\": nvidia-cuda-nvcc and what it "
                  "needs, of one release");
  fixes.push_back("name a toolkit by its path: toolkit = \"/usr/local/cuda\"");
  return makeError(Code::NoToolkit, "the environment has no nvcc",
                   {{"environment", prefix},
                    {"searched", "bin/nvcc, site-packages/nvidia/*/bin/nvcc"},
                    {"setting", settingOf(declaration)},
                    {"because", "NVIDIA's wheels have an nvcc from CUDA 13 on"}},
                   std::move(fixes));
}

static void findInWheels(const std::string &site, Files &files, probe::Self &self,
                         std::vector<std::string> &found) {
  std::string nvidia = joinPath(site, "nvidia");
  for (const std::string &name : files.list(nvidia)) {
    std::string nvcc = joinPath(nvidia, name + "/bin/nvcc");
    if (files.executable(nvcc) && !self.is(nvcc))
      found.push_back(std::move(nvcc));
  }
}

llvm::Expected<probe::Located> locateEnvironmentNvcc(const Declaration &declaration,
                                                     const Environment &env, Files &files,
                                                     probe::Self &self) {
  auto prefix = prefixOf(declaration, env, files);
  if (!prefix)
    return prefix.takeError();
  std::string own = joinPath(*prefix, "bin/nvcc");
  if (files.executable(own) && !self.is(own))
    return probe::Located{std::move(own), settingOf(declaration)};
  PythonEnvironment environment;
  environment.prefix = *prefix;
  auto sites = probe::siteDirectories(environment, files);
  if (!sites)
    return sites.takeError();
  for (const probe::SiteDirectory &site : *sites) {
    std::vector<std::string> found;
    findInWheels(site.path, files, self, found);
    if (found.size() > 1)
      return makeError(Code::NoToolkit, "the environment has several nvcc",
                       {{"found", llvm::join(found, ", ")}, {"setting", settingOf(declaration)}},
                       {fmt::format("name the right one: toolkit = \"{}\"", found.back())});
    if (!found.empty())
      return probe::Located{std::move(found.front()), settingOf(declaration)};
  }
  return noNvcc(declaration, *prefix, files.stat(joinPath(*prefix, "conda-meta")).exists());
}

} // namespace cudacc::pipeline
