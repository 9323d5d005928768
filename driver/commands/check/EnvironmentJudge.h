// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/check/Runtimes.h"
#include "driver/commands/inputs/ReadFile.h"
#include "driver/commands/simulation/Simulator.h"
#include "driver/pipeline/MountedFiles.h"

namespace cudacc::commands {

/// Judges files against a runtime that is an environment on this disk. Loads each file in a
/// simulated process of that environment, as `doctor` does, from where it lies or where it will be
/// installed, with the files installed beside it. Thread-safe; calls are serialized.
class EnvironmentJudge {
public:
  /// All arguments must outlive this. \p before: modules imported before every file (`--before`).
  /// \p asHere: what this machine has of CUDA counts (`--as-here`).
  EnvironmentJudge(pipeline::System &system, const Inputs &inputs, llvm::ArrayRef<ReadFile> files,
                   llvm::ArrayRef<std::string> before, bool asHere)
      : system(system), inputs(inputs), files(files), before(before), asHere(asHere) {}

  /// \p facts: those of the file, or read again with more of its device code. `judgement.path` is
  /// the name of the input. Fixes are those that lead to accept when simulated. Errors: the
  /// environment cannot be read, or lacks a module of `--before`.
  llvm::Expected<Diagnosis> judge(size_t file, const core::BinaryFacts &facts,
                                  const Runtime &runtime);

private:
  /// The file system of simulated processes: the disk with the files of one package mounted.
  struct Place {
    Place(pipeline::System &real)
        : files(real.files), system(real.above(files)), disk(files, /*imports=*/true),
          inventory(disk, system.environment.getOr("HOME").str()) {}
    pipeline::MountedFiles files;
    pipeline::System system;
    process::DiskTree disk;
    LibraryInventory inventory;
    EnvironmentSnapshot snapshot;
    std::unique_ptr<Simulator> simulator;
  };

  pipeline::System &system;
  const Inputs &inputs;
  llvm::ArrayRef<ReadFile> files;
  llvm::ArrayRef<std::string> before;
  bool asHere;
  std::mutex mutex;
  /// By runtime and package; SIZE_MAX stands for files that are judged where they lie.
  std::map<std::pair<const Runtime *, size_t>, std::unique_ptr<Place>> places;
  /// How often fixes were searched for, by runtime.
  std::map<const Runtime *, unsigned> searches;

  bool isInstalled(const std::string &real, const Runtime &runtime) const;
  llvm::Expected<Place *> placeFor(const Runtime &runtime, size_t package);
  void mount(Place &place, const Runtime &runtime, size_t file);
  void mountNeighbours(Place &place, const std::string &folder, const std::string &realFolder,
                       const core::BinaryFacts &facts, unsigned depth);
  Diagnosis judgeAt(Place &place, const Input &input, const core::BinaryFacts &facts,
                    std::string path, const Runtime &runtime);
};

} // namespace cudacc::commands
