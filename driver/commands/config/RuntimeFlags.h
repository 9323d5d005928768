// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/versions/CudaVersion.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
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

/// As described by docs/schema/config.json.
llvm::json::Value flagsJson(const RuntimeFlags &flags);

/// cflags, libs and rpath on one line, as pkg-config prints them: characters special to the shell
/// are escaped with a backslash, except `$`, `(` and `)`, so that `$(cuda-cc config ...)` passes on
/// $ORIGIN unchanged.
std::string flagLine(const RuntimeFlags &flags);

/// A CMake file that defines an imported target `cuda_cc::NAME` for each library. CMake adds
/// nothing of its own to the search path of files linked with them.
std::string cmakeTargets(const RuntimeFlags &flags);

} // namespace cudacc::commands
