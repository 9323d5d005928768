// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Runner.h"

namespace cudacc::run {

/// Starts processes on this machine with this process's environment.
class RealRunner final : public core::Runner {
public:
  llvm::Error exec(const core::Command &command) override;
  llvm::Expected<core::ExitStatus> spawn(const core::Command &command) override;
  llvm::Expected<Answer> ask(const core::Command &command) override;
  llvm::Expected<Answer> observe(const core::Command &command, core::Accesses &accesses) override;
};

/// Ends this process like the child: with the same status, or by the same signal.
[[noreturn]] void endLike(const core::ExitStatus &ended);

} // namespace cudacc::run
