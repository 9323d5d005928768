// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/doctor/DoctorReport.h"
#include "driver/commands/inputs/Inputs.h"
#include "driver/commands/simulation/LibraryInventory.h"
#include "driver/core/PythonEnvironment.h"

namespace cudacc::commands {

/// A file to be loaded before others.
struct Opened {
  std::string path;
  bool isGlobal = false;
  /// By whom: "torch".
  std::string label;
};

/// Where files are loaded: what `doctor` finds before it looks at one.
struct EnvironmentSnapshot {
  DoctorReport report;
  core::PythonEnvironment environment;
  /// Nothing: no environment, or one without CUDA.
  std::optional<core::Target> installed;
  /// Where the rows of `installed` lie as they are installed, by their paths without links.
  std::map<std::string, std::string> places;
  /// Elements of LD_PRELOAD.
  std::vector<std::string> preload;
  bool bindNow = false;
  /// As policy::RemedyContext has them.
  std::string pip, conda;
  /// `python3.11`; empty: not known.
  std::string pythonName;
  /// Files are judged for machines that have a driver, whether this one does or not.
  bool assumesDriver = false;
  /// What Python searches before site-packages: the working directory, elements of PYTHONPATH.
  std::vector<std::string> pythonPath;

  /// All that it searches, in its order.
  std::vector<std::string> modulePath() const;
};

/// The environment, \p named by `--env`, else the one that holds \p file (empty: none), else the
/// active one; the driver, toolkits and copies. Error: what `--env` names is no environment.
llvm::Expected<EnvironmentSnapshot> findSnapshot(pipeline::System &system,
                                                 const std::optional<std::string> &named,
                                                 llvm::StringRef file, FileCache &fileCache,
                                                 LibraryInventory &inventory);

/// The environment of a runtime that files are compared with, with this machine's LD_LIBRARY_PATH
/// and LD_PRELOAD. \p target is its own, with links resolved; \p places as
/// EnvironmentSnapshot::places. Error: it cannot be read.
llvm::Expected<EnvironmentSnapshot> snapshotOf(pipeline::System &system, const std::string &prefix,
                                               const core::Target &target,
                                               std::map<std::string, std::string> places,
                                               FileCache &fileCache, LibraryInventory &inventory);

/// What the import of \p name opens: torch's libraries, a module, the modules of a package, or a
/// file. Empty: there is none.
std::vector<Opened> filesOf(pipeline::System &system, const EnvironmentSnapshot &snapshot,
                            llvm::StringRef name);

} // namespace cudacc::commands
