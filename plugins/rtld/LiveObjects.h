// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugins/rtld/Replay.h"
#include <cstdint>
#include <map>

namespace cudacc::rtld {

/// An object of the traced process.
struct Known {
  uint64_t id = 0;
  std::string path;
  loader::Candidate file;
  /// It was asked for by.
  std::vector<std::string> names;
  /// The object that NEEDED it first; nothing: the program's start, or dlopen.
  std::optional<uint64_t> loader;
  /// Loaded by dlmopen into another namespace.
  bool isApart = false;
};

/// The objects of the traced process, as they come and go.
class LiveObjects {
public:
  LiveObjects(const ProcessRecord &record, const Surroundings &surroundings);

  void open(const Opened &opened);
  void close(uint64_t id) { objects.erase(id); }
  Known *find(uint64_t id);
  /// By the path that the loader knows it by; null: none.
  Known *byPath(llvm::StringRef path);
  /// The object of that path is also known by a name from now on.
  void addName(llvm::StringRef path, llvm::StringRef name);
  /// What the loader takes for a name without asking (LS-0a), apart from what \p asker itself is.
  /// Null, too, when the work is spent.
  const Known *serving(llvm::StringRef name, uint64_t asker);
  /// As the simulation knows it: empty for the program.
  std::string pathOf(uint64_t id) const;
  /// What the simulation starts from.
  const loader::Situation &situation();
  /// Index in the situation's `present`; nothing: the program, or not there.
  std::optional<size_t> indexOf(uint64_t id);
  /// Nothing but the program, its loader and the kernel's own object was opened.
  std::optional<uint64_t> programId() const { return program; }
  void change() { current.reset(); }
  /// Records that no program makes would keep us for hours: from here on nothing is looked up.
  bool isSpent() const { return work > mostWork; }
  const core::BinaryFacts *programFacts() const { return programFile.facts; }

private:
  const ProcessRecord &record;
  const Surroundings &surroundings;
  /// By number, which is the order of loading.
  std::map<uint64_t, Known> objects;
  loader::Candidate programFile;
  std::optional<uint64_t> program, interpreter;
  std::string interpreterPath;
  std::optional<loader::Situation> current;
  std::map<uint64_t, size_t> places;
  /// Objects that were looked at. A program with 500 loads of 300 objects needs an eighth of it.
  static constexpr uint64_t mostWork = 5'000'000;
  uint64_t work = 0;
};

} // namespace cudacc::rtld
