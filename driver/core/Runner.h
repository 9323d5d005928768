// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Plan.h"
#include "driver/versions/Format.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace cudacc::core {

/// How a child process ended.
struct ExitStatus {
  /// Exit status, if the process exited.
  int status = 0;
  /// Signal that killed it; 0 if none did.
  int signal = 0;

  bool ok() const { return !status && !signal; }
  /// `exit status 1`, `signal 9`.
  std::string text() const {
    return signal ? fmt::format("signal {}", signal) : fmt::format("exit status {}", status);
  }
};

/// The files that a program and those that it started looked at, besides the kernel's own (/proc,
/// /sys, devices).
struct Accesses {
  /// False: what they did may depend on others. The system does not let them be observed, or they
  /// asked a server.
  bool areAll = false;
  struct File {
    /// Absolute; may have `..` and links.
    std::string path;
    /// Its size and times were asked for by its path.
    bool hasTimesRead = false;
    /// It is a directory whose entries were read.
    bool isListed = false;
    /// It was started as a program.
    bool isStarted = false;
  };
  std::vector<File> files;
  /// What they made, and did not look at before, where it still exists.
  std::vector<std::string> made;
};

/// Starts processes. Signals that cuda-cc receives while it waits are forwarded to the child.
class Runner {
public:
  virtual ~Runner() = default;
  /// Replaces this process. Returns only on failure.
  virtual llvm::Error exec(const Command &command) = 0;
  virtual llvm::Expected<ExitStatus> spawn(const Command &command) = 0;
  /// Runs the command with Command::input on stdin and captures stdout and stderr. Used to query a
  /// compiler once, whose answers are cached, and for the helper program of device linking.
  struct Answer {
    ExitStatus ended;
    std::string out, err;
  };
  virtual llvm::Expected<Answer> ask(const Command &command) = 0;
  /// The same, and \p accesses gets what was looked at.
  virtual llvm::Expected<Answer> observe(const Command &command, Accesses &accesses) {
    accesses = {};
    return ask(command);
  }
};

} // namespace cudacc::core
