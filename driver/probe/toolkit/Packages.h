// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/support/Value.h"
#include "driver/versions/Version.h"
#include <string>
#include <vector>

namespace cudacc::probe {

/// An installed package, as the name of its metadata states it; the metadata is not read.
struct Package {
  /// Normalised: `nvidia-cuda-crt`.
  std::string name;
  std::string version;
  /// `nvidia_cuda_crt-13.5.37.dist-info`, `cuda-nvcc-tools-12.4.131-hd3aeb46_0.json`.
  std::string metadata;
};

/// The site-packages directory that contains \p path: one called site-packages or dist-packages, or
/// any that has NVIDIA's dist-info beside the `nvidia` directory on the path (pip --target). Empty
/// if there is none.
std::string sitePackagesOf(llvm::StringRef path, core::Files &files);
/// NVIDIA's distributions in a site-packages directory.
std::vector<Package> distributionsIn(llvm::StringRef sitePackages, core::Files &files);
/// CUDA packages in a conda prefix (`conda-meta`); empty if it is no conda prefix.
std::vector<Package> condaPackagesIn(llvm::StringRef prefix, core::Files &files);

/// Reads the toolkit's version.json, which newer and trimmed toolkits lack. Returns a value that is
/// no table if it is missing or cannot be read.
support::Value readVersionJson(llvm::StringRef root, core::Files &files);
/// The version of a component (`cuda`, `cuda_nvcc`); empty if unknown. Weak evidence.
llvm::StringRef versionInJson(const support::Value &versions, llvm::StringRef component);

} // namespace cudacc::probe
