// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/support/Value.h"
#include "driver/versions/Version.h"
#include <string>
#include <vector>

namespace cudacc::probe {

/// An installed package by the name of its metadata; the metadata itself is not read.
struct Package {
  /// Normalised: `nvidia-cuda-crt`.
  std::string name;
  std::string version;
  /// `nvidia_cuda_crt-13.5.37.dist-info`, `cuda-nvcc-tools-12.4.131-hd3aeb46_0.json`.
  std::string metadata;
};

/// The folder that wheels were unpacked into and \p path lies in: named site-packages or
/// dist-packages, or any with dist-info of NVIDIA's beside the `nvidia` folder on the path (pip
/// --target). Empty: none.
std::string sitePackagesOf(llvm::StringRef path, core::Files &files);
/// NVIDIA's distributions in a site-packages folder.
std::vector<Package> distributionsIn(llvm::StringRef sitePackages, core::Files &files);
/// CUDA packages in a conda prefix (`conda-meta`); empty: no such prefix.
std::vector<Package> condaPackagesIn(llvm::StringRef prefix, core::Files &files);

/// A toolkit's version.json, which newer and trimmed toolkits lack; no table: there is none that
/// can be read.
support::Value readVersionJson(llvm::StringRef root, core::Files &files);
/// Of a component (`cuda`, `cuda_nvcc`); empty: unknown. Weak evidence.
llvm::StringRef versionInJson(const support::Value &versions, llvm::StringRef component);

} // namespace cudacc::probe
