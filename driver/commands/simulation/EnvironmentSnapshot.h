// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/doctor/DoctorReport.h"
#include "driver/commands/inputs/Inputs.h"
#include "driver/commands/simulation/LibraryInventory.h"
#include "driver/core/PythonEnvironment.h"

namespace cudacc::commands {

/// A file to be loaded before others.
struct PreloadedFile {
  std::string path;
  bool isGlobal = false;
  /// Who loads it: "torch".
  std::string label;
};

/// Where files are loaded: what `doctor` determines before it examines one.
struct EnvironmentSnapshot {
  DoctorReport report;
  core::PythonEnvironment environment;
  /// std::nullopt without an environment, or if it has no CUDA.
  std::optional<core::Target> installed;
  /// Installed paths of the libraries of `installed`, by their paths with links resolved.
  std::map<std::string, std::string> places;
  /// Elements of LD_PRELOAD.
  std::vector<std::string> preload;
  bool bindNow = false;
  /// As in policy::RemedyContext.
  std::string pip, conda;
  /// `python3.11`; empty if not known.
  std::string pythonName;
  /// Judge files as on a machine with a driver, whether this one has it or not.
  bool hasAnyDriver = false;
  /// Judge files as where only the environment was installed: this machine's loader cache and
  /// default folders provide libraries of the system, but none of CUDA's or a framework's (F27).
  bool isCleanMachine = false;
  /// Folders that Python searches before site-packages: the working directory, then PYTHONPATH.
  std::vector<std::string> pythonPath;

  /// All folders that Python searches, in order.
  std::vector<std::string> modulePath() const;
};

/// Reads the environment (\p named by `--env`, else the one that contains \p file, which may be
/// empty, else the active one), the driver and the copies of CUDA libraries. \p asHere: what this
/// machine has of CUDA counts beside the environment. Errors: `--env` does not name an environment.
llvm::Expected<EnvironmentSnapshot>
findSnapshot(pipeline::System &system, const std::optional<std::string> &named, bool asHere,
             llvm::StringRef file, process::DiskTree &disk, LibraryInventory &inventory);

/// The environment of a runtime that files are judged against, with this machine's LD_LIBRARY_PATH
/// and LD_PRELOAD. \p target: the environment's, with links resolved. \p places: see
/// EnvironmentSnapshot::places. Errors: it cannot be read.
llvm::Expected<EnvironmentSnapshot> snapshotOf(pipeline::System &system, const std::string &prefix,
                                               const core::Target &target, bool asHere,
                                               std::map<std::string, std::string> places,
                                               process::DiskTree &disk,
                                               LibraryInventory &inventory);

/// Files that the import of \p name opens: torch's libraries, a module, the modules of a package,
/// or the file of that name. Empty if there are none.
std::vector<PreloadedFile> filesOf(pipeline::System &system, const EnvironmentSnapshot &snapshot,
                                   llvm::StringRef name);

} // namespace cudacc::commands
