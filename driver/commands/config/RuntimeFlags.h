// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/versions/CudaVersion.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace cudacc::commands {

/// A library to link with.
struct FlaggedLibrary {
  /// The name after `-l`.
  std::string name;
  /// Empty for archives.
  std::string soname;
  /// Absolute; empty if not requested.
  std::string path;
  bool archive = false;
  /// The user did not name it: a named library is coupled to it.
  bool coupled = false;
};

/// The flags with which another build compiles and links a program that fits the runtime.
struct RuntimeFlags {
  /// "torch==2.5.1"; several requirements are separated by `;`.
  std::string runtime;
  versions::CudaVersion line;
  /// Absolute, in search order.
  std::vector<std::string> includes;
  /// Named libraries in command-line order, then those coupled to them.
  std::vector<FlaggedLibrary> libraries;
  /// Words of a command line.
  std::vector<std::string> cflags, libs, rpath;
};

/// The libraries of \p flags; those that are only coupled are enclosed in linker flags that keep
/// them NEEDED, as the link step does (T1).
std::vector<std::string> linkWords(const RuntimeFlags &flags);

/// `-Wl,--disable-new-dtags` and `-Wl,-rpath,...`, as the link step adds them if the caller gives
/// neither. Empty if \p elements is empty and `dtags` is not declared.
std::vector<std::string> searchPathWords(const core::Declaration &declaration,
                                         llvm::ArrayRef<std::string> elements);

} // namespace cudacc::commands
