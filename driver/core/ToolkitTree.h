// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cudacc::core {

/// Where the parts of a toolkit-shaped directory come from. Folders are absolute; of those of one
/// kind the first that has a name wins.
struct ToolkitSources {
  /// Programs beside nvcc, and what else lies there (`crt`).
  std::vector<std::string> bin;
  std::vector<std::string> include;
  struct Libraries {
    std::string folder;
    /// The folder holds more than CUDA (`lib` of a conda prefix): only libraries of NVIDIA's count.
    bool shared = false;
  };
  /// The runtime's in front of the toolkit's: a library that an earlier folder has hides every
  /// version of it in a later one.
  std::vector<Libraries> libraries;
  /// Holds `bin/cicc` and `libdevice`; empty: there is none, or they are among `links`.
  std::string nvvm;
  /// What lies apart: path inside -> absolute path (`nvvm/bin/cicc` of Debian's package).
  std::vector<std::pair<std::string, std::string>> links;
  /// Names below `targets` that lead to headers and libraries: `x86_64-linux`.
  std::vector<std::string> targets;
  /// nvcc's version (`13.0.88`); empty: no version files are written.
  std::string version;
  /// The profile to lie beside nvcc, where the toolkit's own is not relative to its place; empty:
  /// the toolkit's own is linked.
  std::string profile;
};

/// One entry of the directory, by its path inside.
struct TreeEntry {
  enum class Kind : uint8_t {
    /// A symbolic link to `text`: absolute into a toolkit, relative inside the directory.
    Link,
    /// A file with the content `text`.
    File,
  };
  std::string path;
  std::string text;
  Kind kind = Kind::Link;
  /// Its text names the directory's own place, which is no part of what the content is identified
  /// by.
  bool namesPlace = false;
};

} // namespace cudacc::core
