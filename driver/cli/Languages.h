// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Invocation.h"
#include "llvm/ADT/StringRef.h"

namespace cudacc::cli {

/// The kind of an input, as far as cuda-cc distinguishes it.
enum class InputKind {
  /// Passed to the linker.
  Link,
  /// Compiled by the device compiler.
  Cuda,
  /// C or C++ that the compiler itself preprocesses.
  Source,
  /// Already preprocessed, or assembly: compiled, but a forced header has no effect on it.
  Other,
  /// Compiled to a precompiled header, which is no object and takes no forced header.
  Header,
  /// A module unit or another language: no forced header may be added to the call.
  Barred,
};

/// \p language is the argument of `-x`. `none` and an empty string mean that the suffix decides.
InputKind kindOf(core::Dialect dialect, llvm::StringRef file, llvm::StringRef language);

/// Whether nvcc recognises the suffix as an input. gcc also goes by the suffix, but passes unknown
/// files to the linker.
bool hasInputSuffix(llvm::StringRef file);

} // namespace cudacc::cli
