// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/simulation/EnvironmentSnapshot.h"
#include "driver/commands/simulation/Packages.h"
#include "driver/pipeline/TorchTables.h"
#include "driver/policy/remedies/Remedies.h"

namespace cudacc::commands {

/// Every distribution of the environment.
probe::InstalledPackages installedIn(pipeline::System &system, const EnvironmentSnapshot &snapshot);

/// A file that `doctor` looks at.
struct Subject {
  /// As the user named it, and the module's dotted name where he named that.
  std::string name, module;
  /// Of a wheel: no other command takes it by its name.
  bool isMember = false;
  /// Absolute, as it would be imported; of a program, as it is called.
  std::string path;
  core::BinaryFacts facts;
};

/// Loads a file in processes of this environment or of a changed one, and judges what comes of it.
class Simulator {
public:
  Simulator(pipeline::System &system, FileCache &fileCache, LibraryInventory &inventory,
            const EnvironmentSnapshot &snapshot)
      : system(system), fileCache(fileCache), inventory(inventory), snapshot(snapshot),
        installed(installedIn(system, snapshot)),
        packages(system, installed, snapshot.environment.libraries) {}

  /// As if \p package were installed, in the place of another of its name. Before anything is
  /// diagnosed.
  void install(core::InstalledPackage package) { installed.add(std::move(package)); }

  /// What the file does here, with the fixes that were tried and help, unless they are not asked
  /// for.
  Diagnosis diagnose(const Subject &subject, llvm::ArrayRef<std::string> before,
                     bool withRemedies = true);

private:
  pipeline::System &system;
  FileCache &fileCache;
  LibraryInventory &inventory;
  const EnvironmentSnapshot &snapshot;
  probe::InstalledPackages installed;
  Packages packages;
  pipeline::TorchTables torchTables{system};
  std::optional<std::vector<core::FoundToolkit>> toolkits;

  friend class Simulation;
  void tryRemedies(class Simulation &simulation, const Subject &subject, Diagnosis &diagnosis);
};

/// What is imported before the file: what `--before` names, else torch where the file NEEDs its
/// libraries and is none of them (F25).
std::vector<std::string> beforeFor(pipeline::System &system, const EnvironmentSnapshot &snapshot,
                                   const Subject &subject);

} // namespace cudacc::commands
