// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Runner.h"
#include "llvm/ADT/StringMap.h"
#include <cstdint>
#include <linux/seccomp.h>
#include <sys/types.h>

namespace cudacc::run {

/// Learns which files a child process and its descendants look at: a seccomp filter reports their
/// system calls that take a path, before the kernel executes them. The calls themselves are not
/// changed. Linux 5.5; where it is refused, nothing is known.
class Observer {
public:
  Observer() = default;
  Observer(const Observer &) = delete;
  Observer &operator=(const Observer &) = delete;
  /// What still runs, as a server that the child started, goes on unobserved: its calls are
  /// answered by a process that ends with it.
  ~Observer();

  /// In the child: from here on its calls are reported. \p channel: the child's end of a socket, to
  /// which the filter's descriptor is sent; if that fails, its error.
  static int beginIn(int channel);
  /// In the parent: waits for that descriptor. Without one the child is not observed. The error of
  /// one that was lost.
  int receive(int channel);

  /// Readable when a call waits for an answer; -1 if there is nothing to observe.
  int descriptor() const { return listener; }
  /// Answers one call.
  void answer();
  /// Answers calls until process \p child has ended.
  void answerUntilEnd(pid_t child);
  /// All calls so far.
  core::Accesses take();

private:
  enum Use : uint8_t { Looked = 1, TimesRead = 2, Listed = 4, Started = 8, Made = 16 };

  int listener = -1;
  bool areAll = false;
  /// By path.
  llvm::StringMap<uint8_t> uses;

  void note(const seccomp_notif &call);
  void noteOpened(const std::string &path, uint64_t flags);
  void noteMade(const std::string &path);
};

} // namespace cudacc::run
