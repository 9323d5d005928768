// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Verdict.h"
#include "driver/versions/CudaVersion.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cudacc::policy {

/// How the environment is changed to see whether a fix works.
struct Change {
  /// Distributions that are installed, in the place of others of their name.
  std::vector<std::pair<std::string, std::string>> wheels;
  /// A release of torch, with all that it requires; empty: as it is.
  std::string torch;
  std::optional<std::vector<std::string>> libraryPath;
  /// Files that are loaded before everything else (LD_PRELOAD), and whether those that the user
  /// named so are not.
  std::vector<std::string> preload;
  bool withoutPreload = false;
  /// What is imported before.
  std::optional<std::vector<std::string>> before;
  /// The file is linked again: its DT_RPATH, NEEDED that are added, and those that get another
  /// name.
  bool relinked = false;
  std::vector<std::string> rpath, needed;
  std::vector<std::pair<std::string, std::string>> renamed;
  /// It is built again with this toolkit; 0.0: it is not.
  versions::CudaVersion toolkit;
};

/// A fix, best kinds first.
struct Remedy {
  enum class Kind { Undo, Framework, Wheel, Rebuild, Relink, Order, Variable };
  Kind kind = Kind::Wheel;
  /// "take /opt/old out of LD_LIBRARY_PATH".
  std::string text;
  /// Lines for a shell, in their order; empty: nothing that a shell does.
  std::vector<std::string> commands;
  /// What is to be known before; empty: nothing.
  std::string price;
  Change change;
  /// Another of its kind is worth naming beside it.
  bool hasOther = false;
  /// What the same judgement says to the changed world. Unknown: all is well but for the driver,
  /// which this machine lacks.
  core::Outcome after = core::Outcome::Unknown;
};

const char *str(Remedy::Kind kind);

} // namespace cudacc::policy
