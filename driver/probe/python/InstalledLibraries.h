// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/probe/python/SitePackages.h"

namespace cudacc::probe {

/// NVIDIA's distributions, torch and the other frameworks that the facts know in a site directory,
/// from the names of their dist-info; METADATA is read only where a name does not tell the version.
/// A distribution that is there twice is a problem.
void findDistributions(const SiteDirectory &site, core::PythonEnvironment &environment,
                       core::Files &files);

/// The libraries that the distributions of the site claim in RECORD and that are there, each with
/// its owner. Where several claim one file the recorded size tells whose it is (RL-8); where it
/// does not, the version is unknown. Files in `nvidia/*/lib` that nobody claims come with empty
/// owner. Error: a directory of theirs cannot be read.
llvm::Error findLibraries(const SiteDirectory &site, core::PythonEnvironment &environment,
                          core::Files &files);

/// `torch/version.py`, read as text, and the libraries of NVIDIA's in torch/lib. Error as above.
llvm::Error findTorch(const SiteDirectory &site, core::PythonEnvironment &environment,
                      core::Files &files);

/// Libraries in `lib` of a conda prefix, with the package in conda-meta whose file list has them.
/// Error as above.
llvm::Error findCondaLibraries(core::PythonEnvironment &environment, core::Files &files);

} // namespace cudacc::probe
