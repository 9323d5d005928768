// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/run/Console.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <cstddef>
#include <mutex>

namespace cudacc::pipeline {

/// Prints "reading 12 of 600" on stderr, if that is a terminal and the work takes over a second.
class Progress {
public:
  explicit Progress(run::Console &console)
      : console(console), shown(console.errIsTerminal()), next(Clock::now() + delay) {}
  ~Progress();
  /// Thread-safe; prints nothing where it would have to wait for another thread.
  void say(llvm::StringRef what, size_t done, size_t of);

private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds delay{1000}, period{100};

  run::Console &console;
  bool shown, dirty = false;
  Clock::time_point next;
  std::mutex mutex;
};

/// Number of threads that `inParallel` uses for \p count items, including the caller's.
unsigned threadsFor(size_t count);

/// Calls \p work for every index below \p count, with the thread's number, on `threadsFor(count)`
/// threads. Returns when all calls are done.
void inParallel(size_t count, llvm::function_ref<void(size_t index, unsigned thread)> work);

} // namespace cudacc::pipeline
