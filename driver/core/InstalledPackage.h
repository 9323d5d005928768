// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace cudacc::core {

/// A distribution as described by its metadata: installed, or a wheel that is not installed yet.
struct InstalledPackage {
  /// Normalised: `faiss-gpu-cu12`.
  std::string name;
  /// As written. Empty if it is not known.
  std::string version;
  /// The site-packages directory that its paths are relative to.
  std::string site;
  /// Normalised names of the distributions it requires here, without those required by extras.
  std::vector<std::string> required;
  /// Files it owns below `site`: shared objects, and Python sources.
  std::vector<std::string> binaries, sources;
};

/// A call in Python source code that opens libraries: `ctypes.CDLL(path)`.
struct LibraryCall {
  /// Path of the source file, and the 1-based line.
  std::string file;
  unsigned line = 0;
  /// The line without surrounding white space, and the module's function that contains it. An empty
  /// function means module level: the call runs on import.
  std::string text, function;
  /// Patterns of the file names it may open, as far as the source shows them (`libcublas*.so*`;
  /// `nvidia/lib*.so*` for any of NVIDIA's).
  std::vector<std::string> names;
  /// The only library it opens, if by a plain name that the loader resolves:
  /// `CDLL("libtbb.so.12")`. Empty if it uses no such name.
  std::string plainName;
};

} // namespace cudacc::core
