// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/probe/python/SitePackages.h"

namespace cudacc::probe {

/// Adds the distributions of NVIDIA, torch and the other frameworks in the tables that are
/// installed in a site directory. Names and versions come from the names of the dist-info
/// directories; METADATA is read only if a name lacks the version. A distribution that is installed
/// twice is reported as a problem.
void findDistributions(const SiteDirectory &site, core::PythonEnvironment &environment,
                       core::Files &files);

/// Adds the libraries that RECORD of the site's distributions lists and that exist, each with its
/// owner. If several distributions list a file, the recorded size decides (RL-8); if it does not,
/// the version stays unknown. Files in `nvidia/*/lib` that no RECORD lists get an empty owner.
/// Errors: one of their directories cannot be read.
llvm::Error addInstalledLibraries(const SiteDirectory &site, core::PythonEnvironment &environment,
                                  core::Files &files);

/// Reads `torch/version.py` as text. Before addInstalledLibraries(): torch's CUDA decides between
/// wheels that overwrite each other. Errors: as above.
llvm::Error findTorch(const SiteDirectory &site, core::PythonEnvironment &environment,
                      core::Files &files);
/// Adds NVIDIA's libraries in torch/lib. Errors: as above.
llvm::Error findBundled(const SiteDirectory &site, core::PythonEnvironment &environment,
                        core::Files &files);

/// Adds the libraries in a conda prefix's `lib`, with their packages in conda-meta. Errors: as
/// above.
llvm::Error findCondaLibraries(core::PythonEnvironment &environment, core::Files &files);

} // namespace cudacc::probe
