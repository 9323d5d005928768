// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/host/CompilerAnswer.h"

namespace cudacc::probe {

using core::Dialect;

namespace {
struct Mark {
  llvm::StringLiteral text;
  Dialect dialect;
};
} // namespace

/// What the answers of compilers contain and those of binutils, coreutils and CUDA's other tools do
/// not. In this order, as a wrapper of nvcc may print its host compiler's version, too.
static constexpr Mark marks[] = {
    {"Cuda compiler driver", Dialect::Nvcc},
    {"clang version ", Dialect::Clang},
    {"Intel(R) oneAPI DPC++/C++ Compiler", Dialect::Clang},
    {"NVIDIA Compilers and Tools", Dialect::Gcc}, // nvc++
    // gcc, g++, gfortran, under any name and with any PKGVERSION.
    {"see the source for copying conditions", Dialect::Gcc},
};

std::optional<Dialect> dialectOfAnswer(llvm::StringRef text) {
  for (const Mark &mark : marks)
    if (text.contains(mark.text))
      return mark.dialect;
  return std::nullopt;
}

} // namespace cudacc::probe
