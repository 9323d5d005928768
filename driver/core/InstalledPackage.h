// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace cudacc::core {

/// A distribution as its metadata describes it: installed, or a wheel that is not yet.
struct InstalledPackage {
  /// Normalised: `faiss-gpu-cu12`.
  std::string name;
  /// As written; empty: not known.
  std::string version;
  /// The folder that its paths lie below, a site-packages.
  std::string site;
  /// Names of the distributions it requires here, normalised; those of extras are not among them.
  std::vector<std::string> required;
  /// What it claims below `site`: shared objects, and Python's source.
  std::vector<std::string> binaries, sources;
};

/// A place in Python source that opens libraries: `ctypes.CDLL(path)`.
struct LibraryCall {
  /// Path of the source, and the line in it, from 1.
  std::string file;
  unsigned line = 0;
  /// The line itself, without what is around it, and the function of the module that it stands in;
  /// empty: none, it runs at the import.
  std::string text, function;
  /// Patterns of the file names it may open, as far as the source says them (`libcublas*.so*`).
  std::vector<std::string> names;
  /// All that it opens, by this name alone, as the loader finds it: `CDLL("libtbb.so.12")`. Empty:
  /// it says no such name.
  std::string plainName;
};

} // namespace cudacc::core
