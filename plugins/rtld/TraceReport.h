// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/LoadResult.h"
#include "driver/versions/CudaVersion.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::rtld {

/// Somebody asked the loader for a library of NVIDIA's.
struct TracedRequest {
  /// As NEEDED or dlopen said it, and the object that asked; empty: the program.
  std::string name, askedBy;
  bool byDlopen = false;
  /// The loader says nothing of a library that it has already: known from the asker's NEEDED.
  bool concluded = false;
  /// How it was answered; nothing: not found.
  std::optional<core::LoadedBy> by;
  /// Path element that led to it, unexpanded, and the object whose it is, as in LoadStep.
  std::string element, elementOf;
  /// Paths in the order tried, without subdirectories for kinds of processors.
  struct Tried {
    core::LoadedBy by = core::LoadedBy::Default;
    std::string path;
  };
  std::vector<Tried> tried;
  /// The other file that its own search would have led to, had nothing been loaded; empty: the same
  /// file, or none.
  std::string passed;
};

/// Symbols that one object took from a copy.
struct TracedBinding {
  std::string from;
  /// The other file that the object's own search leads to; empty: this one.
  std::string passed;
  std::vector<std::string> symbols;
};

/// A symbol that an object wants from a copy, which lacks it.
struct TracedMissing {
  std::string importer, symbol, version;
  /// The first CUDA release whose library has it; 0.0: not known.
  versions::CudaVersion first;
};

/// A file of a library.
struct TracedCopy {
  std::string path, soname;
  /// Component version and the CUDA release it belongs to, and what says so; empty and 0.0:
  /// unknown.
  std::string version, evidence;
  versions::CudaVersion cuda;
  /// In the process; else it lies where somebody's search leads to and was passed over.
  bool loaded = false;
  std::vector<TracedRequest> requests;
  std::vector<TracedBinding> bindings;
  std::vector<TracedMissing> missing;
};

/// The copies of one library that played a part in a process, those that were loaded first.
struct TracedLibrary {
  /// `nvJitLink`.
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

/// Where the loader and our simulation of it did not take the same file; empty: none was found.
struct TracedDifference {
  std::string name, askedBy, loader, simulation;
};

struct TracedProcess {
  uint64_t pid = 0, parent = 0;
  std::string program;
  std::vector<std::string> words;
  std::optional<std::string> libraryPath;
  /// Objects that were loaded, and requests that the simulation was compared with.
  size_t objects = 0, compared = 0;
  std::vector<TracedLibrary> libraries;
  std::vector<TracedDifference> differences;
  /// Files that were opened and closed again before anything else was: a load that failed, or was
  /// not wanted any more.
  std::vector<std::string> closedAgain;
  /// The loader ended before the program's own code ran.
  bool neverStarted = false;
  /// Why a part was not compared, one clause each.
  std::vector<std::string> unknown;
};

/// What `trace` saw.
struct TraceReport {
  std::vector<std::string> words;
  /// How the command ended: status, or the signal that killed it.
  int status = 0, signal = 0;
  /// Module that was asked for; empty: all.
  std::string module;
  /// Those that asked for a library of NVIDIA's, in the order they began.
  std::vector<TracedProcess> processes;
  /// All that left a record, and what they loaded.
  size_t allProcesses = 0, allObjects = 0;
  /// Why something was not seen, one clause each.
  std::vector<std::string> unknown;
};

} // namespace cudacc::rtld
