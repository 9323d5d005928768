// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/LibraryFloor.h"
#include "driver/core/Target.h"
#include "driver/core/Verdict.h"
#include "driver/versions/TorchRange.h"

namespace cudacc::core {

/// The minimum driver that a file requires.
struct LeastDriver {
  /// For machine code and cudart: `525.60.13`. Empty if the file uses no CUDA or it is not known.
  std::string code;
  /// For its PTX, if a GPU needs that. Empty if the file has no PTX or its ISA is not known.
  std::string ptx;
  /// ISA of the newest PTX; 0.0 if the file has none.
  versions::CudaVersion isa;
  bool operator==(const LeastDriver &) const = default;
};

/// The result of checking one file against one runtime, in `check` and after a link.
struct Judgement {
  /// `ext.so`, `dist/x.whl!pkg/ext.so`.
  std::string path;
  /// As declared: `torch==2.5.1`.
  std::string runtime;
  versions::CudaVersion line;
  Verdict verdict;
  /// One entry per CUDA library that the file imports from, by SONAME.
  std::vector<LibraryFloor> floor;
  /// Names in the group of alternatives from which this file was chosen for the runtime
  /// (`*_cuda126.so`). Empty if the file belongs to no group.
  std::vector<std::string> alternatives;
  /// Requirements in the metadata of the file's wheel that the runtime does not satisfy, as written
  /// (`torch==2.14.0`). Empty if all are satisfied.
  std::vector<std::string> excludedBy;
  LeastDriver driver;
  /// The releases of torch that export what the file imports; independent of the runtime.
  versions::TorchRange torch;
};

} // namespace cudacc::core
