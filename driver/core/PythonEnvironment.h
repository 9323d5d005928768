// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/core/Toolkit.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::core {

/// A distribution that is installed, as the name of its metadata says.
struct InstalledDistribution {
  /// Normalised: `nvidia-nvjitlink-cu12`; the package's name for conda (`libnvjitlink`).
  std::string name;
  /// As written; empty: not known.
  std::string version;
  /// `nvidia_nvjitlink_cu12-12.4.127.dist-info`, `libnvjitlink-12.4.127-0.json`.
  std::string metadata;
  /// The directory that holds it.
  std::string where;
};

/// A library of NVIDIA's that lies in an environment.
struct InstalledLibrary {
  /// The name under which the loader finds it; wheels name files by their SONAME.
  std::string soname;
  std::string path;
  /// Folder under the site-packages directory it lies in; empty: it lies in none (conda).
  std::string folder;
  /// The owner. Empty `dist`: nobody claims the file. Empty `version`: it cannot be determined, and
  /// a problem says why.
  std::string dist, version, metadata;
  /// A copy inside the framework's own wheel, with a SONAME of its own where that was renamed
  /// (`libcudart-9335f6a2.so.11.0`).
  bool bundled = false;
};

struct InstalledTorch {
  /// `2.5.1+cu124`.
  std::string version;
  /// `12.4`; empty: built without CUDA, or not said.
  std::string cuda;
  /// The folder `torch` itself.
  std::string path;
};

/// What lies in a Python environment that matters to CUDA, read from files; Python is never run.
struct PythonEnvironment {
  /// Absolute.
  std::string prefix;
  /// In the order in which Python searches them.
  std::vector<std::string> sitePackages;
  /// NVIDIA's, torch and other frameworks, not all that is installed.
  std::vector<InstalledDistribution> distributions;
  /// In the order of `sitePackages`, then by path. One SONAME may have several.
  std::vector<InstalledLibrary> libraries;
  std::optional<InstalledTorch> torch;
  /// ELF e_machine of the libraries; 0: not known, or they disagree.
  uint16_t machine = 0;
  /// What does not fit together or could not be determined, with `library` set where it is about
  /// one. An Error leaves that version unknown, a Warning does not.
  std::vector<Finding> problems;
  /// What was read, and what was not there; while these are unchanged the rest holds, but for files
  /// that were replaced in place.
  std::vector<FileId> inputs;
};

} // namespace cudacc::core
