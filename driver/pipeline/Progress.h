// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/run/Console.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <mutex>
#include <string>

namespace cudacc::pipeline {

/// Milliseconds since some moment; never goes back.
using Clock = uint64_t (*)();
uint64_t steadyClock();

/// A line on stderr about work that takes longer than half a second, rewritten in place: "reading
/// 12 of 600: pkg/ext.so". Thread-safe; prints nothing where it would have to wait for another
/// thread.
class Progress {
public:
  Progress(run::Console &console, Clock clock)
      : console(console), clock(clock), next(clock() + delay) {}
  ~Progress() { clear(); }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// The \p number th of \p of items begins, \p name.
  void begin(llvm::StringRef what, size_t number, size_t of, llvm::StringRef name);
  /// Work goes on, on \p path if that is no part of an item.
  void goOn(llvm::StringRef path);
  /// Removes the line, before something else is printed.
  void clear();

private:
  static constexpr uint64_t delay = 500, period = 100;

  run::Console &console;
  Clock clock;
  uint64_t next;
  /// The item that began last; empty if none did.
  std::string item;
  bool isShown = false;
  std::mutex mutex;

  void show(llvm::StringRef text);
};

} // namespace cudacc::pipeline
