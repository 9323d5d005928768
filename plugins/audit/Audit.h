// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/AuditReport.h"
#include "driver/core/BinaryFacts.h"
#include "plugins/audit/BuildModel.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace cudacc::audit {

/// What a program is that a build starts.
struct ProgramFacts {
  bool exists = false;
  /// It is cuda-cc, under whatever name.
  bool isOurs = false;
  /// Named toolchain directory in whose `bin` it lies; empty: none.
  std::string directory;
  /// What it holds every link to, as a manifest writes it (`torch==2.5.1`); empty: nothing is
  /// declared.
  std::string runtime;
  /// Version of the nvcc that it stands for; empty: not known.
  std::string version;
  /// Why it refuses to work now: what its directory was made from changed.
  std::optional<core::Finding> problem;
};

/// A file that the build makes.
struct Artefact {
  core::BinaryFacts facts;
  /// It is there and cannot be read; then there are no facts.
  std::optional<core::Finding> problem;
};

/// What is wrong with a build, for the adapter that knows how to change that in its system.
enum class Remedy : uint8_t {
  /// The CUDA compiler is to be cuda-cc.
  Front,
  /// Links of host compilers are to pass through cuda-cc.
  Launcher,
  /// A command that the project wrote is to call the configured CUDA compiler.
  OwnCommand,
  /// The build directory is to be configured from nothing.
  NewTree,
  /// The artefact is to be linked again.
  Relink,
  /// The search path is to survive the installation.
  KeepPath,
  /// Nothing of this machine is to be left in it.
  DropAbsolute,
  /// The runtime library is to be linked.
  LinkCudart,
  /// Configure again.
  Refresh,
  /// A build inside the build is to be reached.
  Reach,
  /// The system is to describe its targets.
  Describe,
  Build,
};

/// What the rules ask about the machine and the build system.
struct Surroundings {
  /// By the word that starts it.
  llvm::function_ref<const ProgramFacts &(llvm::StringRef program)> program;
  /// Null: it is not there.
  llvm::function_ref<const Artefact *(llvm::StringRef path)> artefact;
  /// Requirements of a link line as a manifest writes them.
  llvm::function_ref<std::string(llvm::StringRef declared)> portable;
  /// \p directory: the toolchain directory of this build; empty: none.
  llvm::function_ref<std::vector<std::string>(Remedy remedy, llvm::StringRef directory)> fixes;
  /// A path as it is printed.
  llvm::function_ref<std::string(llvm::StringRef path)> shown;
  /// What is declared where no program of the build has a target of its own.
  llvm::StringRef runtime;
};

/// Every place of a build that bypasses its target, each once for a target and a rule. Pure.
/// `build` of the report is the model's; the artefacts are the authority, commands say why.
core::AuditReport audit(const BuildModel &model, const Surroundings &around);

/// The elements of a file's search path after its installation; nothing where the edit does not
/// find what it replaces, and the installation stops.
std::optional<std::vector<std::string>> installedPath(llvm::ArrayRef<std::string> elements,
                                                      const PathEdit &edit);

/// Files that `Surroundings::artefact` will be asked for, each once.
std::vector<std::string> artefactsOf(const BuildModel &model);

} // namespace cudacc::audit
