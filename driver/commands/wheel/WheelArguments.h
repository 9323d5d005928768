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

/// `cuda-cc wheel show WHEEL...`. \p wheels: the words behind `show`. Returns 3 if one is rejected
/// on each release that its metadata allow, or contradicts itself; else 4 if one is unknown.
llvm::Expected<int> showWheels(pipeline::System &system, const WheelArguments &arguments,
                               llvm::ArrayRef<std::string> wheels);

/// `cuda-cc wheel repair WHEEL`. \p words: those behind `repair`.
llvm::Expected<int> repairWheel(pipeline::System &system, const WheelArguments &arguments,
                                llvm::ArrayRef<std::string> words);

/// `cuda-cc wheel prove WHEEL`. \p words: those behind `prove`.
llvm::Expected<int> proveWheel(pipeline::System &system, const WheelArguments &arguments,
                               llvm::ArrayRef<std::string> words);

} // namespace cudacc::commands
