#pragma once

#include "driver/core/CudaVersion.h"
#include "driver/core/Declaration.h"
#include "driver/core/Version.h"
#include <string>
#include <vector>

namespace cudacc::core {

/// One library of the runtime.
struct TargetLibrary {
  std::string soname;
  /// Distribution that brings it (`nvidia-nvjitlink-cu12`).
  std::string dist;
  /// Component version that the runtime has at least; a floor when `floats`.
  Version version;
  /// The CUDA line of that component version; 0.0 for parts that no toolkit numbers (cuDNN, NCCL).
  CudaVersion cuda;
  bool floats = false;
  /// "pinned by torch 2.5.1", "floor of CUDA 12.4".
  std::string origin;
  /// Folder of the library under site-packages (`nvidia/nvjitlink/lib`); empty: not known.
  std::string folder;
  /// Further folders, where the releases of a range keep it in different places.
  std::vector<std::string> otherFolders;
};

/// The declaration, resolved: a set of per-library versions. Its `line` alone never decides about a
/// library that has a row.
struct Target {
  bool declared = false;
  /// The requirements as the user wrote them.
  std::vector<Setting<std::string>> declaredAs;
  Enforce enforce = Enforce::Toolkit;
  CudaVersion line;
  /// Toolkit release behind the line (`12.4.1`); empty when only the line is known.
  std::string release;
  /// Ordered by soname.
  std::vector<TargetLibrary> libraries;
  /// Least driver for machine code of the major (`525.60.13`); empty: not known.
  std::string driverFloor;
  /// Rules the user switched off; recorded in the manifest.
  std::vector<std::string> waivers;

  const TargetLibrary *find(llvm::StringRef soname) const;
  /// "torch==2.5.1 in pyproject.toml:14".
  std::string describe() const;
};

} // namespace cudacc::core
