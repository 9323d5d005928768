// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/LibraryFloor.h"
#include "driver/core/Target.h"
#include "driver/core/Verdict.h"
#include "driver/versions/TorchRange.h"

namespace cudacc::core {

/// The least that a file asks of the driver.
struct LeastDriver {
  /// For machine code and cudart: `525.60.13`; empty: it uses no CUDA, or that is not known.
  std::string code;
  /// For its PTX, should a GPU need that; empty: it has none, or its ISA is not known.
  std::string ptx;
  /// Of the newest PTX; 0.0: it has none.
  versions::CudaVersion isa;
  bool operator==(const LeastDriver &) const = default;
};

/// One file compared with one runtime: what `check` and the link step both make.
struct Judgement {
  /// `ext.so`, `dist/x.whl!pkg/ext.so`.
  std::string path;
  /// As declared: `torch==2.5.1`.
  std::string runtime;
  versions::CudaVersion line;
  Verdict verdict;
  /// By SONAME, of the CUDA libraries that the file imports from.
  std::vector<LibraryFloor> floor;
  /// Names of the group of alternatives of which this file is the one for the runtime
  /// (`*_cuda126.so`); empty: it stands alone.
  std::vector<std::string> alternatives;
  /// What the metadata of the file's wheel asks for and the runtime does not satisfy, as written
  /// (`torch==2.14.0`); empty: nothing.
  std::vector<std::string> excludedBy;
  LeastDriver driver;
  /// The releases of torch that export what the file imports, whatever the runtime.
  versions::TorchRange torch;
};

} // namespace cudacc::core
