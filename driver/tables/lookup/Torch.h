// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/Pins.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/versions/CudaVersion.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <vector>

namespace cudacc::tables {

namespace rows {
struct Torch;
}

/// A PyTorch release of which the metadata of at least one wheel was read.
struct TorchRelease {
  unsigned major = 0, minor = 0, patch = 0;
  /// CUDA line of the wheel that PyPI has for the version without a local label.
  versions::CudaVersion defaultLine;
  /// The machine (`aarch64`) for which that wheel has no CUDA. Empty if none is known.
  llvm::StringRef withoutCuda;
  const rows::Torch *row = nullptr;
  /// Null for a row of the built-in tables.
  const UserTables *from = nullptr;

  /// `2.5.1`.
  std::string str() const;
};

/// A build of a torch release for one CUDA line.
struct TorchLine {
  versions::CudaVersion cuda;
  /// Local label, `cu126`.
  llvm::StringRef tag;
  bool isDefault = false;
  /// Toolkit release that it uses. std::nullopt if not known.
  std::optional<ToolkitRelease> toolkit;
  /// Whether any, and whether all of its requirements were read. A line of which only the name is
  /// known has no pins.
  bool pinsKnown = false;
  /// Builds with the same index have the same pins, such as 2.5.0 and 2.5.1 for CUDA 12.4.
  uint16_t pinSet = 0;
  const UserTables *from = nullptr;
};

/// In ascending order.
std::vector<TorchRelease> torchReleases(const UserTables *more = nullptr);
/// Lines of a release, in ascending order.
llvm::SmallVector<TorchLine, 4> torchLines(const TorchRelease &release);
TorchLine defaultTorchLine(const TorchRelease &release);
/// Sorted by distribution.
llvm::SmallVector<Pin, 20> torchPins(const TorchLine &line);

/// Whether any torch release in the tables requires the distribution, for any line.
bool isRequiredByTorch(llvm::StringRef dist);

/// Whether a file is one of torch's own libraries (`libtorch.so`, `libtorch_cuda.so`,
/// `libc10_cuda.so`), which `import torch` loads. libtorchaudio.so and similar ones belong to other
/// packages. Decided by the names in the wheels of torch 1.13 to 2.15, not by a table.
bool isTorchLibrary(llvm::StringRef file);
/// Patterns of their names, as fnmatch(3) takes them.
llvm::ArrayRef<llvm::StringLiteral> torchLibraryPatterns();
/// Whether the label of a build names a platform of GPUs: `cu126`, `rocm6.4`, `xpu`, not `cpu`.
bool isGpuLabel(llvm::StringRef label);
/// Whether a name looks like one exported by torch's own libraries: mangled in one of torch's
/// namespaces (c10, at, torch, caffe2, c10d), or part of its C interfaces
/// (`aoti_torch_new_tensor_handle`, `THPVariable_Wrap`). Extensions may define such names, too.
bool isInTorchFashion(llvm::StringRef symbol);
/// Directory of torch's libraries below site-packages.
inline constexpr llvm::StringLiteral torchFolder = "torch/lib";

/// The first release whose default line on PyPI has the same major as \p line and is not older.
std::optional<TorchRelease> firstTorchWithLine(versions::CudaVersion line,
                                               const UserTables *more = nullptr);

} // namespace cudacc::tables
