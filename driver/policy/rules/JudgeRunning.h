// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/LoadResult.h"
#include "driver/core/PythonEnvironment.h"
#include "driver/core/Target.h"
#include "driver/policy/rules/TorchImports.h"
#include "driver/policy/rules/VersionRules.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudacc::policy {

/// A CUDA library that an import on this machine could find.
struct FoundCopy {
  std::string soname, path;
  /// Where it was found: "environment", "bundled with torch", "LD_LIBRARY_PATH", "loader's cache".
  std::string where;
  /// Empty if not known.
  std::string dist, version;
  versions::CudaVersion cuda;
};

/// The simulated process into which a file was loaded, or could not be.
struct ProcessCase {
  const core::BinaryFacts *file = nullptr;
  /// The path under which the loader opens the file.
  std::string path;
  /// The runtime of the process: the environment's libraries, some replaced by those that were
  /// found elsewhere.
  const core::Target *target = nullptr;
  /// The runtime of the environment; null if it has no CUDA.
  const core::Target *installed = nullptr;
  const core::LoadResult *load = nullptr;
  /// Null: every symbol was bound.
  const core::BindingFailure *binding = nullptr;
  llvm::ArrayRef<core::LoadedCopy> loaded;
  llvm::ArrayRef<FoundCopy> copies;
  std::vector<PartCopy> parts;
  llvm::ArrayRef<core::InstalledDistribution> distributions = {};
  llvm::ArrayRef<std::string> libraryPath, before;
  /// Elements of LD_PRELOAD.
  llvm::ArrayRef<std::string> preload = {};
  /// The file is no extension module and nothing NEEDs it: its users open it by name and can go on
  /// without it. It matters if a missing library is not CUDA's, or if one of NVIDIA's does not find
  /// its siblings.
  bool isOnDemand = false;
  /// Release of the torch in the environment; empty if there is none.
  std::string torch = {};
  /// The table of what torch's own libraries export. Null: not available.
  const TorchTable *torchTable = nullptr;
  /// The string ABI of the torch in the environment; None if there is none, or not known.
  StringAbi torchStrings = StringAbi::None;
  /// Every file that the simulated load depends on was read.
  bool isComplete = false;
};

/// Reconciles \p findings of judgeBinary with the simulated process: adds one error that says why
/// the process fails (CC2011, CC4001 to CC4004, CC4021 to CC4024), errors about copies that it
/// cannot use (CC3005), and warnings about those that it loaded (CC4121, CC4122). Findings that the
/// process disproves are dropped: if it loads the file, nothing that loading needs is missing. For
/// a file that is opened on demand a remark replaces the error (CC4208).
std::vector<core::Finding> judgeProcess(const ProcessCase &process,
                                        std::vector<core::Finding> findings);

VersionCase versionCaseOf(const ProcessCase &process);

/// The SONAME of the library that a failed binding is about; empty if it is none of NVIDIA's.
std::string blamed(const ProcessCase &process);

} // namespace cudacc::policy
