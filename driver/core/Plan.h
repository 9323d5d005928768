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
  /// Absolute path of the executable.
  std::string program;
  /// Includes argv[0], which may differ from `program` (R4).
  ArgList argv;
  /// Variables to unset, and to set, for the child.
  std::vector<std::string> unset;
  std::vector<std::pair<std::string, std::string>> set;
  /// Bytes that Runner::ask keeps of stdout and of stderr each; the rest is discarded.
  size_t outputLimit = 1 << 20;
  /// What Runner::ask gives it on stdin; if empty, stdin is /dev/null.
  std::string input = {};
  /// Seconds after which Runner::ask kills it; 0: never.
  unsigned mostSeconds = 0;
  /// Runner::ask leaves its stderr to the user; the answer then has none.
  bool showsErrors = false;
};

struct PlannedFile {
  std::string path, content;
};

/// A directory that is created as a whole and named by its content.
struct PlannedDirectory {
  std::string path;
  std::vector<TreeEntry> entries;
  /// Paths inside the directory of copies of this program, which share one inode, and the bytes
  /// that are appended to each.
  std::vector<std::string> programs;
  std::string trailer;
};

/// What will be done. Making a plan has no side effects.
struct Plan {
  /// Shared with other calls: existing entries with the same content are left unchanged.
  std::vector<PlannedDirectory> directories;
  std::vector<PlannedFile> kept;
  Command command;
  /// Written before the command and removed after it. Used only if `judgesOutput` is set.
  std::vector<PlannedFile> files;
  /// There is work after the command: it is spawned and awaited instead of replacing this process.
  bool judgesOutput = false;
  /// Why words were added, for --cudacc-print=plan: "search path of libnvJitLink.so.12".
  std::vector<std::string> reasons;
};

} // namespace cudacc::core
