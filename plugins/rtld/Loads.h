// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugins/rtld/Records.h"

namespace cudacc::rtld {

/// One name that the loader looked for.
struct Asked {
  uint64_t asker = 0;
  std::string name;
  /// Flags of la_objsearch, and paths.
  std::vector<std::pair<unsigned, std::string>> tried;
  /// The object that was opened for it; nothing: none, it was not found or the file was in the
  /// process already.
  std::optional<uint64_t> opened;
};

struct Opened {
  uint64_t id = 0, space = 0;
  std::string path;
};

/// The start of the program, or one dlopen, with everything it brings.
struct Load {
  bool isStart = false;
  /// Objects that were closed since the load before.
  std::vector<uint64_t> closed;
  std::vector<Asked> asked;
  std::vector<Opened> opened;
  /// The objects it brought were closed before anything else was loaded, other than at the end of
  /// the process.
  bool undone = false;
};

struct Loads {
  std::vector<Load> loads;
  /// Kind::Bind, in their order.
  std::vector<Event> binds;
  /// The program's own code ran.
  bool ready = false;
};

/// Sorts the events of a process into loads.
Loads loadsOf(llvm::ArrayRef<Event> events);

/// The events of a process with those of the processes it was forked from, as far as those had
/// come.
std::vector<Event> eventsOf(const Records &records, size_t process);

} // namespace cudacc::rtld
