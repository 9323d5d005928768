// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugins/rtld/Records.h"

namespace cudacc::rtld {

/// One name that the loader searched for.
struct Asked {
  uint64_t asker = 0;
  std::string name;
  /// Paths tried, each with its flag of la_objsearch.
  std::vector<std::pair<unsigned, std::string>> tried;
  /// The object opened for it; std::nullopt if it was not found, or if the process had the file
  /// already.
  std::optional<uint64_t> opened;
};

struct Opened {
  uint64_t id = 0, space = 0;
  std::string path;
};

/// The start of the program, or one dlopen, with all objects that it loads.
struct Load {
  bool isStart = false;
  /// Objects closed since the previous load.
  std::vector<uint64_t> closed;
  std::vector<Asked> asked;
  std::vector<Opened> opened;
  /// Its objects were closed before anything else was loaded, and not because the process ended.
  bool undone = false;
};

struct Loads {
  std::vector<Load> loads;
  /// Events of Kind::Bind, in order.
  std::vector<Event> binds;
  /// The program's own code was reached.
  bool ready = false;
};

/// Groups the events of a process into loads.
Loads loadsOf(llvm::ArrayRef<Event> events);

/// The events of a process, preceded by those of the processes it was forked from, up to the fork.
std::vector<Event> eventsOf(const Records &records, size_t process);

} // namespace cudacc::rtld
