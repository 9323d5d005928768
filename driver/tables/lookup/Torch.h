// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/Pins.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/versions/CudaVersion.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <vector>

namespace cudacc::tables {

/// A release of PyTorch of which at least one wheel's metadata was read.
struct TorchRelease {
  unsigned major = 0, minor = 0, patch = 0;
  /// CUDA line of the wheel that PyPI has under the bare version.
  versions::CudaVersion defaultLine;
  /// The machine (`aarch64`) for which that wheel has no CUDA; empty: none that is known.
  llvm::StringRef withoutCuda;
  /// Position among the releases of the tables, or of `from`.
  uint16_t index = 0;
  const UserTables *from = nullptr;

  /// `2.5.1`.
  std::string str() const;
};

/// A build of a torch release: the release for one CUDA line.
struct TorchLine {
  versions::CudaVersion cuda;
  /// Local label, `cu126`.
  llvm::StringRef tag;
  bool isDefault = false;
  /// Toolkit release behind it; nothing: not known.
  std::optional<ToolkitRelease> toolkit;
  /// Its requirements were read, and all of them. A line that is known by name only has no pins.
  bool pinsKnown = false, pinsComplete = false;
  /// Builds with the same number, as 2.5.0 and 2.5.1 for CUDA 12.4, have the same pins.
  uint16_t pinSet = 0;
  const UserTables *from = nullptr;
};

/// Ascending.
std::vector<TorchRelease> torchReleases(const UserTables *more = nullptr);
/// Lines of a release, ascending by CUDA version.
llvm::SmallVector<TorchLine, 4> torchLines(const TorchRelease &release);
TorchLine defaultTorchLine(const TorchRelease &release);
/// Ordered by distribution.
llvm::SmallVector<Pin, 20> torchPins(const TorchLine &line);

/// Some release of torch in the tables requires the distribution, on some line.
bool isRequiredByTorch(llvm::StringRef dist);

/// A library of torch's own (`libtorch.so`, `libtorch_cuda.so`, `libc10_cuda.so`), which `import
/// torch` loads; libtorchaudio.so and its kind are other packages. As in the wheels of torch 1.13
/// to 2.15 by their names; no table lists them.
bool isTorchLibrary(llvm::StringRef file);
/// A name as torch's own libraries export them: mangled in one of torch's namespaces (c10, at,
/// torch, caffe2, c10d), or of its C interfaces (`aoti_torch_new_tensor_handle`,
/// `THPVariable_Wrap`). Extensions may define such names of their own.
bool isInTorchFashion(llvm::StringRef symbol);
/// Where they lie under site-packages.
inline constexpr llvm::StringLiteral torchFolder = "torch/lib";

/// The first release whose PyPI default line is of the same major as \p line and not older.
std::optional<TorchRelease> firstTorchWithLine(versions::CudaVersion line,
                                               const UserTables *more = nullptr);

} // namespace cudacc::tables
