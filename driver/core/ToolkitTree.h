// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cudacc::core {

/// The sources of a directory that is laid out like a toolkit. Folders are absolute. Within one
/// list the first folder that has a name wins.
struct ToolkitSources {
  /// Directories with programs, and what else lies next to nvcc (`crt`).
  std::vector<std::string> bin;
  std::vector<std::string> include;
  struct Libraries {
    std::string folder;
    /// The folder holds more than CUDA (`lib` of a conda prefix): only NVIDIA libraries are taken.
    bool shared = false;
  };
  /// The runtime's folders precede the toolkit's: a library found in an earlier folder hides all
  /// its versions in later ones.
  std::vector<Libraries> libraries;
  /// Holds `bin/cicc` and `libdevice`. Empty if there is none or they are among `links`.
  std::string nvvm;
  /// Files that lie elsewhere: path inside -> absolute path (`nvvm/bin/cicc` of Debian's package).
  std::vector<std::pair<std::string, std::string>> links;
  /// Names below `targets` that link to headers and libraries: `x86_64-linux`.
  std::vector<std::string> targets;
  /// nvcc's version (`13.0.88`). Empty if no version files are to be written.
  std::string version;
  /// Text of nvcc.profile, needed if the toolkit's own is not relative to its location. Empty if
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
  /// The text contains the directory's own path, so it is excluded from the fingerprint.
  bool namesPlace = false;
};

} // namespace cudacc::core
