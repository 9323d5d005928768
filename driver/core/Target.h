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
  /// Distribution that contains it (`nvidia-nvjitlink-cu12`).
  std::string dist;
  /// Minimum component version in the runtime; a floor if `floats`. Without numbers if it is not
  /// known and only the file at `path` shows what the library exports.
  versions::Version version;
  /// CUDA line of that version; 0.0 for libraries with versions of their own (cuDNN, NCCL).
  versions::CudaVersion cuda;
  bool floats = false;
  /// "pinned by torch 2.5.1", "floor of CUDA 12.4".
  std::string origin;
  /// Folder of the library below site-packages (`nvidia/nvjitlink/lib`). Empty if it is not known,
  /// or if the library is in none.
  std::string folder;
  /// It is in the `lib` of a conda environment.
  bool ofConda = false;
  /// Further folders, if the releases of a range install the library in different places.
  std::vector<std::string> otherFolders;
  /// The file, if the runtime is an environment (`env:PATH`); it takes precedence over the tables.
  std::string path;
};

/// The declaration, resolved to a version per library. `line` alone never decides about a library
/// that has a row.
struct Target {
  bool declared = false;
  /// The requirements as the user wrote them.
  std::vector<Setting<std::string>> declaredAs;
  Enforce enforce = Enforce::Toolkit;
  versions::CudaVersion line;
  /// Toolkit release that the line was resolved to (`12.4.1`). Empty if only the line is known.
  std::string release;
  /// Ordered by SONAME.
  std::vector<TargetLibrary> libraries;
  /// Minimum driver for machine code of the major (`525.60.13`). Empty if it is not known.
  std::string driverFloor;
  /// Driver release that the user declared (`535.104`). Empty if none was.
  std::string driver;
  /// CUDA version of that driver, for PTX; 0.0 if not declared or not known.
  versions::CudaVersion driverCuda;
  /// GPU architectures that the output must cover, ascending; empty if none were declared. And
  /// where they were declared: "sm>=80 in cuda-cc.toml:3".
  std::vector<versions::Arch> gpus;
  std::string gpuOrigin;
  /// As declared, else as the environment or the lock shows it. Without an origin nothing says it,
  /// and wheels are assumed.
  Setting<LayoutChoice> layout;
  /// ELF e_machine of the environment's libraries; 0 if it is not known or the target comes from
  /// tables, which apply to all machines.
  uint16_t machine = 0;
  /// site-packages directories of the environment, absolute, in search order. Empty if the target
  /// comes from tables.
  std::vector<std::string> sitePackages;
  /// The runtime's torch release (`2.5.1+cu124`) or the declared range (`>=2.5,<2.8`). Empty if the
  /// runtime has no torch. An extension is loaded after torch's own libraries.
  std::string torch;
  /// The torch releases that the runtime may have, ascending, without local labels: one if the
  /// release is known exactly. Empty if `torch` is.
  std::vector<std::string> torchReleases;
  /// The requirements without paths of this machine, as the manifest stores them: an environment is
  /// replaced by what it contains, `torch==2.5.1` or `cuda==12.4`.
  std::vector<std::string> portableAs;
  /// Inconsistencies in the environment and facts that could not be determined there. After an
  /// Error a row has no version. Shown with the target; they do not affect a verdict by themselves.
  std::vector<Finding> problems;
  /// Release of the data on releases that the target was resolved with (`2026.11.0`), and the facts
  /// package that it is of; empty if the built-in data are newer or there is none.
  std::string dataRelease, factsPackage;
  /// Rules that the user disabled; recorded in the manifest.
  std::vector<std::string> waivers;

  const TargetLibrary *find(llvm::StringRef soname) const;
  /// Whether the tables say where the libraries lie, so that a search path can be simulated.
  bool asWheels() const { return sitePackages.empty() && layout.value.kind == Layout::Wheels; }
  /// Whether they lie in an environment, on disk.
  bool isInstalled() const {
    return !sitePackages.empty() &&
           (layout.value.kind == Layout::Wheels || layout.value.kind == Layout::Conda);
  }
  /// No layout is declared: that of conda if its packages have all libraries. \p evidence says so:
  /// `conda-meta`, `pixi.lock`.
  void findLayout(llvm::StringRef evidence);
  /// "torch==2.5.1 in pyproject.toml:14".
  std::string describe() const;
  /// "wheels (nothing declares a layout)", "system:/usr/local/cuda/lib64 (cuda-cc.toml:3)".
  std::string describeLayout() const;
};

} // namespace cudacc::core
