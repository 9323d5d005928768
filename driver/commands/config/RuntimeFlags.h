// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/versions/CudaVersion.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace cudacc::commands {

/// A file to link with.
struct FlaggedLibrary {
  /// As after `-l`.
  std::string name;
  /// Empty for archives.
  std::string soname;
  /// Absolute; empty: it was not asked for.
  std::string path;
  bool archive = false;
  /// Nobody named it: another library is coupled to it.
  bool coupled = false;
};

/// What a program of somebody else's build is compiled and linked with, to fit the runtime.
struct RuntimeFlags {
  /// "torch==2.5.1"; several are separated by `;`.
  std::string runtime;
  versions::CudaVersion line;
  /// Absolute, in search order.
  std::vector<std::string> includes;
  /// Named ones in the order of the line, then those they are coupled to.
  std::vector<FlaggedLibrary> libraries;
  /// Words of a command line.
  std::vector<std::string> cflags, libs, rpath;
};

/// The files that `flags` holds, those that are only coupled in a bracket that keeps them NEEDED as
/// the link step does (T1).
std::vector<std::string> linkWords(const RuntimeFlags &flags);

/// `-Wl,--disable-new-dtags` and `-Wl,-rpath,...`, as the link step writes them without flags of
/// the caller's own; nothing for an empty path where `dtags` is not declared.
std::vector<std::string> searchPathWords(const core::Declaration &declaration,
                                         llvm::ArrayRef<std::string> elements);

} // namespace cudacc::commands
