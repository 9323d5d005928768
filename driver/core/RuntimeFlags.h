#pragma once

#include "driver/versions/CudaVersion.h"
#include <string>
#include <vector>

namespace cudacc::core {

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

} // namespace cudacc::core
