// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::rtld {

/// What the audit library saw; fields as TraceBuffer.h has them.
struct Event {
  enum class Kind { Search, Open, Close, Activity, Ready, Bind };
  Kind kind = Kind::Ready;
  /// The object: that asks, is opened, is closed, or binds.
  uint64_t object = 0;
  /// Bind: to which object. Open: the namespace.
  uint64_t other = 0;
  unsigned flag = 0;
  std::string text;
};

/// A program in a process; after exec the same process has another one.
struct ProcessRecord {
  uint64_t pid = 0, parent = 0;
  std::string program, workingDirectory, preload;
  std::optional<std::string> libraryPath;
  std::vector<std::string> words;
  /// Index of the process it was forked from, and how many events that one had then.
  std::optional<size_t> forkedFrom;
  size_t forkedAt = 0;
  std::vector<Event> events;
};

struct Records {
  std::vector<ProcessRecord> processes;
  /// Some had no room.
  bool lost = false;
  /// Lines that are no records.
  size_t broken = 0;
};

/// The file the program starts with; \p names count as NVIDIA's.
std::string emptyBuffer(llvm::ArrayRef<llvm::StringRef> names, uint64_t size);

/// Reads what is there afterwards, whatever the program did to it.
Records readBuffer(llvm::StringRef bytes);

} // namespace cudacc::rtld
