// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/LoadResult.h"
#include "driver/versions/CudaVersion.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::rtld {

/// One request to the loader for an NVIDIA library.
struct TracedRequest {
  /// The name in NEEDED or dlopen, and the requesting object; empty for the program.
  std::string name, askedBy;
  bool byDlopen = false;
  /// Derived from the requester's NEEDED: the loader does not report libraries that are already
  /// loaded.
  bool concluded = false;
  /// How it was found; std::nullopt if it was not.
  std::optional<core::LoadedBy> by;
  /// The search path element that led to it, unexpanded, and the object that element belongs to, as
  /// in LoadStep.
  std::string element, elementOf;
  /// Paths in the order tried, without subdirectories for processor types.
  struct Tried {
    core::LoadedBy by = core::LoadedBy::Default;
    std::string path;
  };
  std::vector<Tried> tried;
  /// The file that its own search would have found if nothing had been loaded; empty if the same or
  /// none.
  std::string passed;
};

/// Symbols of a copy that one object was bound to.
struct TracedBinding {
  std::string from;
  /// The file that the object's own search would have found; empty if this one.
  std::string passed;
  std::vector<std::string> symbols;
};

/// A symbol that an object imports and the copy lacks.
struct TracedMissing {
  std::string importer, symbol, version;
  /// The first CUDA release whose library has it; 0.0 if unknown.
  versions::CudaVersion first;
};

/// One file of a library.
struct TracedCopy {
  std::string path, soname;
  /// Component version, the evidence for it, and its CUDA release; empty and 0.0 if unknown.
  std::string version, evidence;
  versions::CudaVersion cuda;
  /// Loaded in the process; if false, some object's own search would have found it.
  bool loaded = false;
  std::vector<TracedRequest> requests;
  std::vector<TracedBinding> bindings;
  std::vector<TracedMissing> missing;
};

/// The copies of one library that a process used or would have found, loaded ones first.
struct TracedLibrary {
  /// Such as `nvJitLink`.
  std::string name;
  std::vector<TracedCopy> copies;
  std::vector<TracedRequest> notFound;

  size_t loaded() const {
    size_t count = 0;
    for (const TracedCopy &copy : copies)
      count += copy.loaded;
    return count;
  }
};

/// A request for which the loader and our simulation took different files; empty for none.
struct TracedDifference {
  std::string name, askedBy, loader, simulation;
};

struct TracedProcess {
  uint64_t pid = 0, parent = 0;
  std::string program;
  std::vector<std::string> words;
  std::optional<std::string> libraryPath;
  /// Number of objects loaded, and of requests compared with the simulation.
  size_t objects = 0, compared = 0;
  std::vector<TracedLibrary> libraries;
  std::vector<TracedDifference> differences;
  /// Files that were opened and closed again before anything else was opened: the load failed, or
  /// was no longer needed.
  std::vector<std::string> closedAgain;
  /// The process ended before the program's own code ran.
  bool neverStarted = false;
  /// Why a part was not compared, one sentence each.
  std::vector<std::string> unknown;
};

/// The result of `cuda-cc trace`.
struct TraceReport {
  std::vector<std::string> words;
  /// Exit status of the command, or the signal that killed it.
  int status = 0, signal = 0;
  /// The module that the report is limited to; empty for all.
  std::string module;
  /// Processes that requested an NVIDIA library, in order of their start.
  std::vector<TracedProcess> processes;
  /// Number of processes recorded, and of objects they loaded.
  size_t allProcesses = 0, allObjects = 0;
  /// Why something was not observed, one sentence each.
  std::vector<std::string> unknown;
};

} // namespace cudacc::rtld
