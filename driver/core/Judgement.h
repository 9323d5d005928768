#pragma once

#include "driver/core/LibraryFloor.h"
#include "driver/core/Target.h"
#include "driver/core/Verdict.h"

namespace cudacc::core {

/// One file held against one runtime: what `check` and the link step both make.
struct Judgement {
  /// `ext.so`, `dist/x.whl!pkg/ext.so`.
  std::string path;
  /// As declared: `torch==2.5.1`.
  std::string runtime;
  CudaVersion line;
  Verdict verdict;
  /// By SONAME, of the CUDA libraries that the file imports from.
  std::vector<LibraryFloor> floor;
  /// Names of the group of alternatives of which this file is the one for the runtime
  /// (`*_cuda126.so`); empty: it stands alone.
  std::vector<std::string> alternatives;
};

} // namespace cudacc::core
