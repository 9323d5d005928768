// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Invocation.h"
#include "llvm/ADT/StringRef.h"

namespace cudacc::cli {

/// What an input is, as far as it matters to the driver.
enum class InputKind {
  /// Goes to the linker.
  Link,
  /// Seen by the device compiler.
  Cuda,
  /// C or C++ that the compiler preprocesses itself.
  Source,
  /// Already preprocessed, or assembly: compiled, but a forced header does not reach it.
  Other,
  /// Made into a precompiled header, which is no object and takes no forced header.
  Header,
  /// A module unit or another language: no forced header may be added to the call.
  Barred,
};

/// After `-x`; `none` and the empty text mean that the suffix decides.
InputKind kindOf(core::Dialect dialect, llvm::StringRef file, llvm::StringRef language);

/// nvcc tells by the suffix what a word is; gcc does too, and takes the rest for the linker's.
bool hasInputSuffix(llvm::StringRef file);

} // namespace cudacc::cli
