// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <sys/types.h>

namespace cudacc::run {

/// The child that signals are passed on to; 0 if there is none.
extern volatile pid_t waitedFor;

/// While alive, forwards signals that would end this process to the child, so that it can clean up.
/// Signals that were ignored before stay ignored in both processes.
class SignalsPassed {
public:
  SignalsPassed();
  SignalsPassed(const SignalsPassed &) = delete;
  SignalsPassed &operator=(const SignalsPassed &) = delete;
  ~SignalsPassed();

  /// Called when the child has started, with this process's original mask.
  void begun(pid_t pid);
  const sigset_t &callersMask() const { return mask; }

private:
  static constexpr int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
  struct sigaction old[6];
  sigset_t mask;
};

/// While alive, the first signal that would end this process is held back, so that it can clean up;
/// a child that it waits for gets the signal at once. The second one ends the process. The
/// destructor delivers what was held back. Signals that were ignored before stay ignored.
class SignalsHeld {
public:
  SignalsHeld();
  SignalsHeld(const SignalsHeld &) = delete;
  SignalsHeld &operator=(const SignalsHeld &) = delete;
  ~SignalsHeld();

  /// The signal; 0 if there was none.
  static int received();
  /// Sends a signal that came before the child was known.
  static void passOnTo(pid_t child);

private:
  static constexpr int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
  struct sigaction old[4];
};

/// Lets a write beyond the file size limit (`ulimit -f`) fail with EFBIG, as one to a full disk
/// fails, instead of ending this process. Programs that it starts get the signal as before.
void outliveFileSizeLimit();

} // namespace cudacc::run
