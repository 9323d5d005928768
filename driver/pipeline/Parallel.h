// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/run/Console.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <cstddef>
#include <mutex>

namespace cudacc::pipeline {

/// "reading 12 of 600" on stderr, where that is a terminal and the work takes over a second.
class Progress {
public:
  explicit Progress(run::Console &console)
      : console(console), shown(console.errIsTerminal()), next(Clock::now() + delay) {}
  ~Progress();
  /// For several threads at once; one that would have to wait says nothing.
  void say(llvm::StringRef what, size_t done, size_t of);

private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds delay{1000}, period{100};

  run::Console &console;
  bool shown, dirty = false;
  Clock::time_point next;
  std::mutex mutex;
};

/// Threads that `inParallel` uses for \p count pieces of work, the caller's included.
unsigned threadsFor(size_t count);

/// Calls \p work for every index below \p count with the number of the thread, on
/// `threadsFor(count)` threads. Returns when all is done.
void inParallel(size_t count, llvm::function_ref<void(size_t index, unsigned thread)> work);

} // namespace cudacc::pipeline
