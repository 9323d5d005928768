// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Verdict.h"
#include "driver/versions/CudaVersion.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cudacc::policy {

/// A change to the environment that is simulated to see whether a remedy works.
struct Change {
  /// Distributions to install, as name and version; they replace those of the same name.
  std::vector<std::pair<std::string, std::string>> wheels;
  /// A release of torch to install with all its requirements; empty if torch is kept.
  std::string torch;
  std::optional<std::vector<std::string>> libraryPath;
  /// Files to load first (LD_PRELOAD); `withoutPreload`: the user's own LD_PRELOAD is dropped.
  std::vector<std::string> preload;
  bool withoutPreload = false;
  /// Modules to import before the file; std::nullopt: unchanged.
  std::optional<std::vector<std::string>> before;
  /// The file is linked again, with this DT_RPATH, additional NEEDED entries, and NEEDED entries
  /// renamed from first to second.
  bool relinked = false;
  std::vector<std::string> rpath, needed;
  std::vector<std::pair<std::string, std::string>> renamed;
  /// The file is rebuilt with this toolkit; 0.0: it is not.
  versions::CudaVersion toolkit;
};

/// A remedy. Kinds are listed best first.
struct Remedy {
  enum class Kind { Undo, Framework, Wheel, Rebuild, Relink, Order, Variable };
  Kind kind = Kind::Wheel;
  /// "take /opt/old out of LD_LIBRARY_PATH".
  std::string text;
  /// Shell commands, in order; empty if the remedy is no shell command.
  std::vector<std::string> commands;
  /// What the user should know before applying it; empty if nothing.
  std::string price;
  Change change;
  /// One more remedy of its kind may be shown beside it.
  bool hasOther = false;
  /// The verdict after the change, from the same rules. Unknown: everything is accepted except for
  /// the driver, which this machine lacks.
  core::Outcome after = core::Outcome::Unknown;
};

const char *str(Remedy::Kind kind);
/// Its commands as one line that can be pasted, else its text.
std::string asFix(const Remedy &remedy);

} // namespace cudacc::policy
