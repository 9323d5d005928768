// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/LoadResult.h"
#include "driver/core/Target.h"
#include "driver/policy/rules/TorchImports.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudacc::policy {

/// A CUDA library that an import on this machine could find.
struct FoundCopy {
  std::string soname, path;
  /// Where it belongs: "environment", "bundled with torch", "LD_LIBRARY_PATH", "loader's cache".
  std::string where;
  /// Empty: not known.
  std::string dist, version;
  versions::CudaVersion cuda;
};

/// A process into which a file was loaded, or could not be.
struct ProcessCase {
  const core::BinaryFacts *file = nullptr;
  /// As the loader knows the file.
  std::string path;
  /// What the process has: the environment's libraries, those that were taken from elsewhere in
  /// their place.
  const core::Target *target = nullptr;
  /// What the environment has; null: nothing of CUDA.
  const core::Target *installed = nullptr;
  const core::LoadResult *load = nullptr;
  /// Null: everything was bound.
  const core::BindingFailure *binding = nullptr;
  llvm::ArrayRef<core::LoadedCopy> loaded;
  llvm::ArrayRef<FoundCopy> copies;
  /// Names that were opened by what is loaded and lead nowhere, with who opens them.
  std::vector<std::pair<std::string, std::string>> notOpened;
  llvm::ArrayRef<std::string> libraryPath, before;
  /// Elements of LD_PRELOAD.
  llvm::ArrayRef<std::string> preload = {};
  /// Nothing NEEDs the file and it is no extension module: whoever wants it opens it by its name,
  /// and goes on without it. Asked only where a library is missing that is none of CUDA's, or
  /// where one of NVIDIA's does not find its siblings. Null: it is not so.
  llvm::function_ref<bool()> isOnDemand = nullptr;
  /// Release of the torch that lies in the environment; empty: none does.
  std::string torch = {};
  /// What torch's own libraries export. Null: not asked.
  AskTorch torchTable = nullptr;
  /// Whether the environment's own libraries of torch export a name. Null: it has none.
  DefinedBeside installedTorch = nullptr;
  /// Everything that loading rests on was read.
  bool isComplete = false;
};

/// \p findings, those of judgeBinary, made to agree with what the process does: one error that says
/// why it ends (CC2011, CC4001 to CC4004, CC4021 to CC4024), and what is doubtful about the copies
/// it has (CC4121, CC4122). What the process contradicts is left out: it loads the file, so nothing
/// that loading needs is missing. A file that is opened on demand has a remark in their place
/// (CC4208).
std::vector<core::Finding> judgeProcess(const ProcessCase &process,
                                        std::vector<core::Finding> findings);

/// The library that a failure of binding is about: a SONAME of NVIDIA's; empty: of no library of
/// NVIDIA's.
std::string blamed(const ProcessCase &process);

} // namespace cudacc::policy
