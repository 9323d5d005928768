// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/Diagnostic.h"
#include "driver/versions/Arch.h"
#include "driver/versions/CudaVersion.h"
#include "driver/versions/Version.h"
#include <string>
#include <vector>

namespace cudacc::core {

/// One library of the runtime.
struct TargetLibrary {
  std::string soname;
  /// Distribution that brings it (`nvidia-nvjitlink-cu12`).
  std::string dist;
  /// Component version that the runtime has at least; a floor when `floats`. Without numbers: not
  /// known, the file at `path` alone tells what it has.
  versions::Version version;
  /// The CUDA line of that component version; 0.0 for parts that no toolkit numbers (cuDNN, NCCL).
  versions::CudaVersion cuda;
  bool floats = false;
  /// "pinned by torch 2.5.1", "floor of CUDA 12.4".
  std::string origin;
  /// Folder of the library under site-packages (`nvidia/nvjitlink/lib`); empty: not known.
  std::string folder;
  /// Further folders, where the releases of a range keep it in different places.
  std::vector<std::string> otherFolders;
  /// The file, where the runtime is a place that was read (`env:PATH`): it beats the tables.
  std::string path;
};

/// The declaration, resolved: a set of per-library versions. Its `line` alone never decides about a
/// library that has a row.
struct Target {
  bool declared = false;
  /// The requirements as the user wrote them.
  std::vector<Setting<std::string>> declaredAs;
  Enforce enforce = Enforce::Toolkit;
  versions::CudaVersion line;
  /// Toolkit release behind the line (`12.4.1`); empty when only the line is known.
  std::string release;
  /// Ordered by soname.
  std::vector<TargetLibrary> libraries;
  /// Least driver for machine code of the major (`525.60.13`); empty: not known.
  std::string driverFloor;
  /// Driver release the user declared (`535.104`); empty: none.
  std::string driver;
  /// CUDA version that this driver is of, for PTX; 0.0: not declared or not known.
  versions::CudaVersion driverCuda;
  /// Architectures the artefact must cover, ascending; empty: none declared. And where they were
  /// declared: "sm>=80 in cuda-cc.toml:3".
  std::vector<versions::Arch> gpus;
  std::string gpuOrigin;
  /// The runtime's libraries lie as wheels put them (`layout`): only then the search path of a file
  /// can be followed.
  bool asWheels = true;
  /// As declared: where `layoutOrigin` is empty nobody wrote it, and wheels are assumed.
  Layout layout = Layout::Wheels;
  Origin layoutOrigin;
  /// Directory of `layout = "system:PATH"`.
  std::string systemPath;
  /// ELF e_machine of the environment's libraries; 0: not known, or the target comes from tables,
  /// which hold for every machine.
  uint16_t machine = 0;
  /// site-packages directories of the environment, absolute, in search order; empty: the target
  /// comes from tables.
  std::vector<std::string> sitePackages;
  /// Release of torch where the runtime has it (`2.5.1+cu124`), or the declared range
  /// (`>=2.5,<2.8`); empty: it has none. An extension is loaded after torch's own libraries.
  std::string torch;
  /// The releases of torch that the runtime may have, ascending, without labels: one where it is
  /// known exactly. Empty where `torch` is.
  std::vector<std::string> torchReleases;
  /// The requirements without places of this machine, as the manifest may hold them: an environment
  /// is what it has, `torch==2.5.1` or `cuda==12.4`.
  std::vector<std::string> portableAs;
  /// What does not fit together in the environment, or could not be determined there; an Error
  /// among them left a row without version. For whoever shows the target; no verdict by itself.
  std::vector<Finding> problems;
  /// Rules the user switched off; recorded in the manifest.
  std::vector<std::string> waivers;

  const TargetLibrary *find(llvm::StringRef soname) const;
  /// "torch==2.5.1 in pyproject.toml:14".
  std::string describe() const;
  /// "wheels (nothing declares a layout)", "system:/usr/local/cuda/lib64 (cuda-cc.toml:3)".
  std::string describeLayout() const;
};

} // namespace cudacc::core
