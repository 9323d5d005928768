// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/ArgList.h"
#include "driver/core/ToolkitTree.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cudacc::core {

/// A process to start.
struct Command {
  /// Absolute path of the file that is executed.
  std::string program;
  /// argv, argv[0] included; it may differ from `program` (R4).
  ArgList argv;
  /// Variables to unset for the child, and to set.
  std::vector<std::string> unset;
  std::vector<std::pair<std::string, std::string>> set;
  /// Bytes that Runner::ask keeps of stdout and of stderr; what comes then is read and dropped.
  size_t outputLimit = 1 << 20;
};

struct PlannedFile {
  std::string path, content;
};

/// A directory that is made whole, named by its content.
struct PlannedDirectory {
  std::string path;
  std::vector<TreeEntry> entries;
  /// Paths inside of copies of this program, all of one inode, and what is put behind the last byte
  /// of each.
  std::vector<std::string> programs;
  std::string trailer;
};

/// What is to be done, as values. Nothing of it has happened.
struct Plan {
  /// Kept for other calls: what is there with the same content is left as it is.
  std::vector<PlannedDirectory> directories;
  std::vector<PlannedFile> kept;
  Command command;
  /// Written before the command and removed after it; only where `judgesOutput`.
  std::vector<PlannedFile> files;
  /// Work is left after the command: it is spawned and awaited instead of replacing the process.
  bool judgesOutput = false;
  /// Why words were added, for --cudacc-print=plan: "search path of libnvJitLink.so.12".
  std::vector<std::string> reasons;
};

} // namespace cudacc::core
