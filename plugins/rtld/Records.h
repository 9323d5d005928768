// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::rtld {

/// An event recorded by the audit library; fields as in TraceBuffer.h.
struct Event {
  enum class Kind { Search, Open, Close, Activity, Ready, Bind };
  Kind kind = Kind::Ready;
  /// The object that requests, is opened, is closed, or binds.
  uint64_t object = 0;
  /// Bind: the object bound to. Open: the namespace.
  uint64_t other = 0;
  unsigned flag = 0;
  std::string text;
};

/// One program of a process; exec starts another record for the same process.
struct ProcessRecord {
  uint64_t pid = 0, parent = 0;
  std::string program, workingDirectory, preload;
  std::optional<std::string> libraryPath;
  std::vector<std::string> words;
  /// Index of the process it was forked from, and that process's number of events at the time.
  std::optional<size_t> forkedFrom;
  size_t forkedAt = 0;
  std::vector<Event> events;
};

struct Records {
  std::vector<ProcessRecord> processes;
  /// Some records did not fit.
  bool lost = false;
  /// Number of lines that are not valid records.
  size_t broken = 0;
};

/// Initial content of the trace file; \p names are the libraries that count as NVIDIA's.
std::string emptyBuffer(llvm::ArrayRef<llvm::StringRef> names, uint64_t size);

/// Reads the file after the program ended, whatever the program wrote to it.
Records readBuffer(llvm::StringRef bytes);

} // namespace cudacc::rtld
