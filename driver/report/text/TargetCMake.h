// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/ToolchainDirectory.h"
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

/// `cmake/CudaCCMachine.cmake`, for toolchain.cmake, where the directory builds for another
/// machine: which one, the compilers that do, and the prefix of its own libraries, which may be
/// empty.
std::string machineCMake(const core::ToolchainDirectory &directory, llvm::StringRef root);

} // namespace cudacc::report
