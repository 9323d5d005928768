// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/EnvironmentToolkit.h"
#include "driver/config/ActiveEnvironment.h"
#include "driver/core/Diagnostic.h"
#include "driver/probe/python/Pip.h"
#include "driver/probe/python/SitePackages.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"
#include "driver/versions/Format.h"
#include "driver/versions/PlaceRequirement.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::pipeline {

using namespace core;
using namespace support;
using namespace versions;
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

/// The CUDA line of the runtime's wheel among the names of a site directory; 0.0 without one.
static CudaVersion lineOf(const probe::SiteDirectory &site) {
  for (StringRef name : site.names)
    if (name.consume_front("nvidia_cuda_runtime") && name.consume_back(".dist-info"))
      if (auto version = Version::parse(name.rsplit('-').second))
        return {unsigned(version->at(0)), unsigned(version->at(1))};
  return {};
}

/// The command that installs nvcc and what it needs, of the runtime's release. Empty for CUDA 12,
/// for which no wheel has an nvcc.
static std::string installingNvcc(const std::string &prefix,
                                  llvm::ArrayRef<probe::SiteDirectory> sites, Files &files) {
  std::vector<std::string> folders;
  CudaVersion line;
  for (const probe::SiteDirectory &site : sites) {
    folders.push_back(site.path);
    line = line.known() ? line : lineOf(site);
  }
  if (line.known() && line.major < 13)
    return {};
  return fmt::format("{} 'cuda-toolkit[nvcc,cudart,cccl]{}'",
                     probe::pipInstall(prefix, folders, files),
                     line.known() ? fmt::format("=={}.*", line) : "");
}

static llvm::Error noNvcc(const Declaration &declaration, const std::string &prefix,
                          const std::string &install, bool isConda) {
  std::vector<std::string> fixes;
  if (isConda)
    fixes.push_back(fmt::format("conda install -p {} cuda-nvcc", shellWord(prefix)));
  if (!install.empty())
    fixes.push_back(install);
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
  return noNvcc(declaration, *prefix, installingNvcc(*prefix, *sites, files),
                files.stat(joinPath(*prefix, "conda-meta")).exists());
}

} // namespace cudacc::pipeline
