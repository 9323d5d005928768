#pragma once

#include "driver/TorchTables.h"
#include "driver/policy/Remedies.h"
#include "driver/tools/DoctorPackages.h"

namespace cudacc::tools {

/// A file that `doctor` looks at.
struct Subject {
  /// As the user named it, and the module's dotted name where he named that.
  std::string name, module;
  /// Absolute, as it would be imported; of a program, as it is called.
  std::string path;
  core::BinaryFacts facts;
};

/// Loads a file in processes of a world that may be changed, and judges what comes of it.
class Trials {
public:
  Trials(World &world, Shelf &shelf, Copies &copies, const Scene &scene)
      : world(world), shelf(shelf), copies(copies), scene(scene), packages(world, scene) {}

  /// What the file does here, with the ways out that were tried and lead out, unless they are not
  /// asked for.
  core::Diagnosis diagnose(const Subject &subject, llvm::ArrayRef<std::string> before,
                           bool withRemedies = true);

private:
  World &world;
  Shelf &shelf;
  Copies &copies;
  const Scene &scene;
  Packages packages;
  TorchTables torchTables{world};
  std::vector<policy::NearbyToolkit> toolkits;
  bool looked = false;

  friend class Trial;
  const std::vector<policy::NearbyToolkit> &nearby();
  void tryRemedies(class Trial &trial, const Subject &subject, core::Diagnosis &diagnosis);
};

/// What is imported before the file: what `--before` names, else torch where the file NEEDs its
/// libraries and is none of them (PRODUCT.md 8).
std::vector<std::string> beforeFor(World &world, const Scene &scene, const Subject &subject);

} // namespace cudacc::tools
