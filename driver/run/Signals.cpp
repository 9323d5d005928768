// SPDX-License-Identifier: Apache-2.0
#include "driver/run/Signals.h"
#include <cerrno>
#include <iterator>

namespace cudacc::run {

volatile pid_t waitedFor = 0;
static volatile std::sig_atomic_t held = 0;

static void passOn(int signal, siginfo_t *info, void *) {
  // The terminal signals the whole process group, so the child already has it.
  bool fromTerminal = info->si_code == SI_KERNEL && (signal == SIGINT || signal == SIGQUIT);
  int before = errno;
  // A child that has ended already is not there.
  if (waitedFor > 0 && !fromTerminal)
    kill(waitedFor, signal);
  errno = before;
}

static void hold(int signal, siginfo_t *info, void *context) {
  held = signal;
  passOn(signal, info, context);
}

/// Takes the signals over, but for those that are ignored. \p old: what was before.
template <size_t N>
static void take(const int (&signals)[N], struct sigaction (&old)[N],
                 void (*handler)(int, siginfo_t *, void *), int flags) {
  struct sigaction action{};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_RESTART | flags;
  for (size_t i = 0; i < N; ++i) {
    sigaction(signals[i], nullptr, &old[i]);
    if (old[i].sa_handler != SIG_IGN)
      sigaction(signals[i], &action, nullptr);
  }
}

SignalsPassed::SignalsPassed() {
  // Blocked until the child's PID is known, so that no signal is lost.
  sigset_t blocked;
  sigemptyset(&blocked);
  for (int signal : signals)
    sigaddset(&blocked, signal);
  sigprocmask(SIG_BLOCK, &blocked, &mask);
  take(signals, old, passOn, 0);
}

void SignalsPassed::begun(pid_t pid) {
  waitedFor = pid;
  sigprocmask(SIG_SETMASK, &mask, nullptr);
}

SignalsPassed::~SignalsPassed() {
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  for (size_t i = 0; i < std::size(signals); ++i)
    sigaction(signals[i], &old[i], nullptr);
  waitedFor = 0;
}

SignalsHeld::SignalsHeld() {
  held = 0;
  // Each signal's second one has its default effect.
  take(signals, old, hold, SA_RESETHAND);
}

SignalsHeld::~SignalsHeld() {
  for (size_t i = 0; i < std::size(signals); ++i)
    sigaction(signals[i], &old[i], nullptr);
  if (int signal = received())
    raise(signal);
}

void outliveFileSizeLimit() {
  struct sigaction action{}, before;
  // A handler, as SIG_IGN would be inherited by programs.
  action.sa_handler = [](int) {};
  action.sa_flags = SA_RESTART;
  sigaction(SIGXFSZ, &action, &before);
  if (before.sa_handler == SIG_IGN)
    sigaction(SIGXFSZ, &before, nullptr);
}

int SignalsHeld::received() { return held; }

void SignalsHeld::passOnTo(pid_t child) {
  if (held)
    kill(child, held);
}

} // namespace cudacc::run
