#pragma once

#include "driver/core/Declaration.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace cudacc::report {

/// What a target that links a library of the runtime gets into its search path.
struct LibraryPath {
  /// As after -l; `torch` for all of torch's own.
  std::string name;
  /// Of every artefact.
  std::vector<std::string> elements;
  /// Behind them, of programs.
  std::vector<std::string> places;
};

/// `cmake/CudaCCTarget.cmake` of a toolchain directory: what CudaCC.cmake knows of the target
/// without asking.
std::string targetCMake(const core::Declaration &declaration, llvm::ArrayRef<LibraryPath> paths);

} // namespace cudacc::report
