// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/check/CheckArguments.h"

namespace cudacc::commands {

struct WheelArguments : JudgeArguments {
  /// Of `show`.
  bool verify = false;
  /// Of `repair`: `-w`, `--requires`; `--exclude`: further NEEDED names that others bring.
  std::optional<std::string> wheelDir;
  std::string wheelRequires;
  bool unbundle = false, variant = false;
  std::vector<std::string> exclude;
  /// Of `prove`; its `--before` is in `before`.
  std::string resolution = "both";
  std::optional<std::string> python;
  std::vector<std::string> imports, extras;
};

} // namespace cudacc::commands
