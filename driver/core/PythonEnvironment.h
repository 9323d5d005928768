// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/core/Toolkit.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::core {

/// An installed distribution, as named by its metadata.
struct InstalledDistribution {
  /// Normalised: `nvidia-nvjitlink-cu12`. For conda the package's own name (`libnvjitlink`).
  std::string name;
  /// As written. Empty if it is not known.
  std::string version;
  /// `nvidia_nvjitlink_cu12-12.4.127.dist-info`, `libnvjitlink-12.4.127-0.json`.
  std::string metadata;
  /// The directory that contains `metadata`.
  std::string where;
  /// A wheel that an index has for x86-64: not conda's, and not built here. Known for those that
  /// check versions of libraries; false for others.
  bool isPublished = false;
};

/// An NVIDIA library in an environment.
struct InstalledLibrary {
  /// The name by which the loader finds it. Wheels name files by their SONAME.
  std::string soname;
  std::string path;
  /// Its directory relative to site-packages. Empty if it lies outside of it (conda).
  std::string folder;
  /// The owner. `dist` is empty if no distribution lists the file; `version` is empty if it could
  /// not be determined, which `problems` explains.
  std::string dist, version, metadata;
  /// A copy inside the framework's own wheel; its SONAME may have been changed
  /// (`libcudart-9335f6a2.so.11.0`).
  bool bundled = false;
};

struct InstalledTorch {
  /// `2.5.1+cu124`.
  std::string version;
  /// `12.4`. Empty if it was built without CUDA or does not state it.
  std::string cuda;
  /// The `torch` package directory.
  std::string path;
};

/// The contents of a Python environment that matter to CUDA. Read from files; Python is never run.
struct PythonEnvironment {
  /// Absolute.
  std::string prefix;
  /// In Python's search order.
  std::vector<std::string> sitePackages;
  /// Those of NVIDIA, torch and other frameworks; not everything that is installed.
  std::vector<InstalledDistribution> distributions;
  /// In the order of `sitePackages`, then by path. A SONAME may occur several times.
  std::vector<InstalledLibrary> libraries;
  std::optional<InstalledTorch> torch;
  /// ELF e_machine of the libraries; 0 if it is not known or they disagree.
  uint16_t machine = 0;
  /// Inconsistencies and facts that could not be determined; `library` is set if one concerns a
  /// library. After an Error that library's version is unknown, after a Warning it is known.
  std::vector<Finding> problems;
  /// Files that were read, and files that did not exist. The result is valid while these are
  /// unchanged, except for files that were overwritten in place.
  std::vector<FileId> inputs;
};

} // namespace cudacc::core
