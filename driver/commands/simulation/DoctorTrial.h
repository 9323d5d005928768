#pragma once

#include "driver/commands/simulation/DoctorPackages.h"
#include "driver/commands/simulation/DoctorScene.h"
#include "driver/pipeline/TorchTables.h"
#include "driver/policy/remedies/Remedies.h"

namespace cudacc::commands {

/// Every distribution of the environment.
probe::InstalledPackages installedIn(pipeline::System &system, const Scene &scene);

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

/// Loads a file in processes of a world that may be changed, and judges what comes of it.
class Trials {
public:
  Trials(pipeline::System &system, Shelf &shelf, Copies &copies, const Scene &scene)
      : system(system), shelf(shelf), copies(copies), scene(scene),
        installed(installedIn(system, scene)),
        packages(system, installed, scene.environment.libraries) {}

  /// As if \p package were installed, in the place of another of its name. Before anything is
  /// diagnosed.
  void install(core::InstalledPackage package) { installed.add(std::move(package)); }

  /// What the file does here, with the ways out that were tried and lead out, unless they are not
  /// asked for.
  Diagnosis diagnose(const Subject &subject, llvm::ArrayRef<std::string> before,
                     bool withRemedies = true);

private:
  pipeline::System &system;
  Shelf &shelf;
  Copies &copies;
  const Scene &scene;
  probe::InstalledPackages installed;
  Packages packages;
  pipeline::TorchTables torchTables{system};
  std::vector<policy::NearbyToolkit> toolkits;
  bool looked = false;

  friend class Trial;
  const std::vector<policy::NearbyToolkit> &nearby();
  void tryRemedies(class Trial &trial, const Subject &subject, Diagnosis &diagnosis);
};

/// What is imported before the file: what `--before` names, else torch where the file NEEDs its
/// libraries and is none of them (PRODUCT.md 8).
std::vector<std::string> beforeFor(pipeline::System &system, const Scene &scene,
                                   const Subject &subject);

} // namespace cudacc::commands
