// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugins/rtld/Replay.h"
#include <cstdint>
#include <map>

namespace cudacc::rtld {

/// An object of the traced process.
struct LiveObject {
  uint64_t id = 0;
  std::string path;
  loader::Candidate file;
  /// The names under which it was requested.
  std::vector<std::string> names;
  /// The object that NEEDED it first; std::nullopt if the program's start or dlopen requested it.
  std::optional<uint64_t> loader;
  /// Loaded by dlmopen into another namespace.
  bool isApart = false;
};

/// The objects currently loaded in the traced process.
class LiveObjects {
public:
  LiveObjects(const ProcessRecord &record, const MachineFiles &surroundings);

  void open(const Opened &opened);
  void close(uint64_t id) { objects.erase(id); }
  LiveObject *find(uint64_t id);
  /// Finds an object by the path that the loader has for it; null if none.
  LiveObject *byPath(llvm::StringRef path);
  /// Adds a name under which the object of that path is known.
  void addName(llvm::StringRef path, llvm::StringRef name);
  /// The loaded object that the loader takes for a name without a search (LS-0a), other than \p
  /// asker. Null if none, or if isSpent().
  const LiveObject *serving(llvm::StringRef name, uint64_t asker);
  /// The path as in the simulation: empty for the program.
  std::string pathOf(uint64_t id) const;
  /// The initial state for the next simulation.
  const loader::Situation &situation();
  /// Index in the situation's `present`; std::nullopt for the program and for unknown objects.
  std::optional<size_t> indexOf(uint64_t id);
  /// Object number of the program; std::nullopt if it was not opened yet.
  std::optional<uint64_t> programId() const { return program; }
  void change() { current.reset(); }
  /// Limits the work on malformed records, which could take hours: look-ups return nothing from
  /// here on.
  bool isSpent() const { return work > mostWork; }
  const core::BinaryFacts *programFacts() const { return programFile.facts; }

private:
  const ProcessRecord &record;
  const MachineFiles &surroundings;
  /// By object number, in order of loading.
  std::map<uint64_t, LiveObject> objects;
  loader::Candidate programFile;
  std::optional<uint64_t> program, interpreter;
  std::string interpreterPath;
  std::optional<loader::Situation> current;
  std::map<uint64_t, size_t> places;
  /// Limit for objects visited. A program with 500 loads of 300 objects needs an eighth of it.
  static constexpr uint64_t mostWork = 5'000'000;
  uint64_t work = 0;
};

} // namespace cudacc::rtld
