// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/simulation/EnvironmentSnapshot.h"
#include "driver/commands/simulation/Packages.h"
#include "driver/pipeline/TorchTables.h"
#include "driver/policy/remedies/Remedies.h"
#include <set>

namespace cudacc::commands {

/// All distributions of the environment.
probe::InstalledPackages installedIn(pipeline::System &system, const EnvironmentSnapshot &snapshot);

/// A file that `doctor` examines.
struct ExaminedFile {
  /// The name given by the user, and the module's dotted name if that was given.
  std::string name, module;
  /// A member of a wheel: no other command accepts its name.
  bool isMember = false;
  /// Absolute, as it would be imported; for a program, as it is called.
  std::string path;
  core::BinaryFacts facts;
  /// The user asks for this file alone: that other code opens it on demand does not excuse it.
  bool isNamed = false;
};

/// Which files are loaded only by code that opens them by name. Each package is read once.
class OnDemand {
public:
  /// Both must outlive this.
  OnDemand(process::DiskTree &disk, const EnvironmentSnapshot &snapshot)
      : disk(disk), snapshot(snapshot) {}

  /// True for a file that lies in site-packages, is not an extension module (by its suffix and
  /// PyInit_NAME), and that nothing in its own package NEEDs, such as NVSHMEM's transports and
  /// libcufile_rdma. False if the package cannot be read completely.
  bool has(const ExaminedFile &subject);

private:
  /// The paths of the files that NEED a library, by its name.
  using Needers = std::map<std::string, std::set<std::string>, std::less<>>;

  process::DiskTree &disk;
  const EnvironmentSnapshot &snapshot;
  /// By folder and ELF machine; std::nullopt for one that cannot be read completely.
  std::map<std::pair<std::string, uint16_t>, std::optional<Needers>> packages;

  std::string packageFolder(llvm::StringRef path) const;
  std::optional<Needers> read(const std::string &folder, uint16_t machine) const;
};

/// The CUDA major that the environment's torch was built for, else that of its runtime; 0 if
/// neither is known.
unsigned majorOf(const EnvironmentSnapshot &snapshot);

/// Loads a file in simulated processes of this environment, changed or not, and judges the result.
class Simulator {
public:
  Simulator(pipeline::System &system, process::DiskTree &disk, LibraryInventory &inventory,
            const EnvironmentSnapshot &snapshot)
      : system(system), disk(disk), inventory(inventory), snapshot(snapshot),
        installed(installedIn(system, snapshot)),
        packages(system, installed, snapshot.environment.libraries, majorOf(snapshot)),
        onDemand(disk, snapshot) {}

  /// Acts as if \p package were installed, replacing another of its name. To be called before
  /// diagnose.
  void install(core::InstalledPackage package) { installed.add(std::move(package)); }

  /// What the file does here, with the fixes that help when simulated if \p withRemedies.
  Diagnosis diagnose(const ExaminedFile &subject, llvm::ArrayRef<std::string> before,
                     bool withRemedies = true);

private:
  pipeline::System &system;
  process::DiskTree &disk;
  LibraryInventory &inventory;
  const EnvironmentSnapshot &snapshot;
  probe::InstalledPackages installed;
  Packages packages;
  OnDemand onDemand;
  pipeline::TorchTables torchTables{system};
  std::optional<std::vector<core::FoundToolkit>> toolkits;

  friend class Simulation;
  bool isAcceptedWith(const std::string &torch, const ExaminedFile &subject);
  void tryRemedies(class Simulation &simulation, const ExaminedFile &subject, Diagnosis &diagnosis);
};

/// What is imported before the file: the modules of `--before`, else torch if the file NEEDs its
/// libraries and is not one of them (F25).
std::vector<std::string> beforeFor(pipeline::System &system, const EnvironmentSnapshot &snapshot,
                                   const ExaminedFile &subject);

} // namespace cudacc::commands
