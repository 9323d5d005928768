// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Plan.h"
#include "llvm/Support/Error.h"
#include <string>

namespace cudacc::core {

/// How a child ended.
struct ExitStatus {
  /// Exit status, when it exited.
  int status = 0;
  /// Signal that killed it; 0: none.
  int signal = 0;
};

/// Starts processes. Signals that reach cuda-cc while it waits are passed on to the child.
class Runner {
public:
  virtual ~Runner() = default;
  /// Replaces this process; returns only when that failed.
  virtual llvm::Error exec(const Command &command) = 0;
  virtual llvm::Expected<ExitStatus> spawn(const Command &command) = 0;
  /// Runs it with empty stdin and collects stdout and stderr, for questions that are asked of a
  /// compiler once; the answers are kept (probe/Store).
  struct Answer {
    ExitStatus ended;
    std::string out, err;
  };
  virtual llvm::Expected<Answer> ask(const Command &command) = 0;
};

} // namespace cudacc::core
