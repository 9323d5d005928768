// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/python/Environment.h"
#include "driver/probe/python/InstalledLibraries.h"

namespace cudacc::probe {

using namespace core;

llvm::Expected<PythonEnvironment> readEnvironment(llvm::StringRef prefix, Files &files) {
  PythonEnvironment environment;
  environment.prefix = prefix.str();
  auto sites = siteDirectories(environment, files);
  if (!sites)
    return sites.takeError();
  for (const SiteDirectory &site : *sites) {
    findDistributions(site, environment, files);
    if (llvm::Error error = findTorch(site, environment, files))
      return error;
    if (llvm::Error error = addInstalledLibraries(site, environment, files))
      return error;
    if (llvm::Error error = findBundled(site, environment, files))
      return error;
  }
  if (llvm::Error error = findCondaLibraries(environment, files))
    return error;
  return environment;
}

} // namespace cudacc::probe
