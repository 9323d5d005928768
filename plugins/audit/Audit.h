// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/AuditReport.h"
#include "driver/core/BinaryFacts.h"
#include "plugins/audit/BuildModel.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace cudacc::audit {

/// What is known about a program that a build starts.
struct ProgramFacts {
  bool exists = false;
  /// It is cuda-cc, under any name.
  bool isOurs = false;
  /// Named toolchain directory whose `bin` contains it; empty if none.
  std::string directory;
  /// The runtime that it enforces on every link, as a manifest writes it (`torch==2.5.1`); empty if
  /// nothing is declared.
  std::string runtime;
  /// Version of the nvcc that it wraps; empty if not known.
  std::string version;
  /// Why it refuses to run: for example, the sources of its toolchain directory changed.
  std::optional<core::Finding> problem;
};

/// A file that the build produces.
struct Artefact {
  core::BinaryFacts facts;
  /// Set if the file exists and cannot be read; `facts` is then empty.
  std::optional<core::Finding> problem;
};

/// The kind of fix that a finding needs. The adapter of the build system words it.
enum class FixKind : uint8_t {
  /// Configure cuda-cc as the CUDA compiler.
  Front,
  /// Pass the links of host compilers through cuda-cc.
  Launcher,
  /// Let a command of the project call the configured CUDA compiler.
  OwnCommand,
  /// Configure an empty build directory.
  NewTree,
  /// Link the artefact again.
  Relink,
  /// Keep the search path at installation.
  KeepPath,
  /// Remove folders of this machine from the search path.
  DropAbsolute,
  /// Link the CUDA runtime library.
  LinkCudart,
  /// Configure again.
  Refresh,
  /// Audit a nested build, and make it use cuda-cc.
  Reach,
  /// Let the build system describe its targets.
  Describe,
  Build,
};

/// What the rules need to know about the machine and the build system.
struct AuditContext {
  /// \p program: the word that starts it.
  llvm::function_ref<const ProgramFacts &(llvm::StringRef program)> program;
  /// Null if the file does not exist.
  llvm::function_ref<const Artefact *(llvm::StringRef path)> artefact;
  /// Requirements of a link line as a manifest writes them.
  llvm::function_ref<std::string(llvm::StringRef declared)> portable;
  /// \p directory: the toolchain directory of this build; empty if none.
  llvm::function_ref<std::vector<std::string>(FixKind remedy, llvm::StringRef directory)> fixes;
  /// A path as printed.
  llvm::function_ref<std::string(llvm::StringRef path)> shown;
  /// The declared runtime, used if no program of the build has one.
  llvm::StringRef runtime;
};

/// Finds every step of a build that bypasses cuda-cc, once per target and rule. Pure. `build` of
/// the report is that of the model. The artefacts decide; the commands explain.
core::AuditReport audit(const BuildModel &model, const AuditContext &around);

/// The elements of a file's search path after installation; std::nullopt if the edit does not find
/// what it replaces, in which case the installation stops.
std::optional<std::vector<std::string>> installedPath(llvm::ArrayRef<std::string> elements,
                                                      const PathEdit &edit);

/// The files that `AuditContext::artefact` will be asked for, each once.
std::vector<std::string> artefactsOf(const BuildModel &model);

} // namespace cudacc::audit
