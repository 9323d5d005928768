// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/ninja/graph/StepGraph.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>

namespace cudacc::ninja {

/// What nvcc 13.0 printed with --dryrun: dryruns/NAME.txt.
inline std::string recorded(llvm::StringRef name) {
  auto file = llvm::MemoryBuffer::getFile(std::string(CUDACC_DRYRUNS "/") + name.str() + ".txt");
  return file ? (*file)->getBuffer().str() : "";
}

inline const Step &stepIn(const StepGraph &graph, llvm::StringRef name) {
  for (const Step &step : graph.steps)
    if (step.name == name)
      return step;
  static const Step none;
  ADD_FAILURE() << "no step " << name.str();
  return none;
}

} // namespace cudacc::ninja
