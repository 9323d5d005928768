// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/LibraryFloor.h"
#include "driver/core/LoadResult.h"
#include "driver/core/Target.h"
#include "driver/policy/rules/Judge.h"
#include "driver/policy/rules/TorchImports.h"
#include "driver/versions/Exported.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudacc::policy {

/// Whether the file at TargetLibrary::path exports the symbol; \p node is the version node that the
/// importer requires, empty if none. Called only for libraries that have a path.
using InstalledExports = llvm::function_ref<versions::Exported(
    const core::TargetLibrary &library, llvm::StringRef symbol, llvm::StringRef node)>;

/// Input for judging one binary. Everything but the file and the target is optional; rules whose
/// input is missing are skipped.
struct Subject {
  const core::BinaryFacts *facts = nullptr;
  const core::Target *target = nullptr;
  /// The simulated load in the declared layout; null: the search path is not judged.
  const core::LoadResult *load = nullptr;
  /// The file is being linked and will be moved: rules about its present place do not apply.
  bool atLink = false;
  /// The package of the file requires torch: the file is loaded after torch's libraries, even if it
  /// NEEDs none of them.
  bool afterTorch = false;
  /// Look for remarks at the link too: a declared severity may raise them.
  bool remarks = false;
  /// floorsOf(*facts, M), where M is majorOf() of the file, else the runtime's major; set by
  /// callers that compare one file with many runtimes. Null: computed when something is missing.
  const std::vector<core::LibraryFloor> *floors = nullptr;
  /// Whether the file at TargetLibrary::path has version information (DT_VERSYM); std::nullopt if
  /// it could not be read. Null: not checked (SY-14).
  llvm::function_ref<std::optional<bool>(const core::TargetLibrary &)> versioned = nullptr;
  /// Whether a library of the process other than NVIDIA's, i.e. a dependency of the file, defines
  /// the symbol; Unknown if a dependency cannot be read. Null: judged by the names of the
  /// dependencies.
  llvm::function_ref<versions::Exported(llvm::StringRef symbol)> others = nullptr;
  /// The table of what torch's own libraries export. Null: torch's symbols are not judged.
  AskTorch torchTable = nullptr;
  /// Whether torch's own libraries in the environment export a symbol. Null: the runtime is no
  /// environment, or has no torch.
  DefinedBeside installedTorch = nullptr;
  /// Like `others`, for libraries other than torch's own, whose exports `torchTable` has. Files of
  /// the package itself count, whatever their names. Null: judged by the names of the dependencies.
  DefinedBeside besideTorch = nullptr;
  /// The simulated load of the file where it lies on this machine, without LD_LIBRARY_PATH;
  /// std::nullopt if the file does not exist or is for another machine. Called only if the file
  /// cannot be loaded beside wheels that nobody declared (CC4118). Null: not checked.
  llvm::function_ref<std::optional<core::LoadResult>()> here = nullptr;
  /// Whether a search path entry is there only because of a Python's LDFLAGS; std::nullopt if that
  /// cannot be determined on this machine. Null: not checked.
  llvm::function_ref<std::optional<bool>(llvm::StringRef path)> isPythonFolder = nullptr;
  /// The findings for the same file under another runtime from the tables, for fixes that name one.
  /// Null: judged without `load`, `others` and `here`.
  llvm::function_ref<std::vector<core::Finding>(const core::Target &)> under = nullptr;
  /// This judgement serves `under` itself, or its fixes are not used: other runtimes are not tried.
  bool skipRuntimeFixes = false;
  /// The distribution that installed this file (`vllm`), so that the reader of the finding did not
  /// build it. Empty if none or not known. Called only after a finding. Null: not checked.
  llvm::function_ref<std::string()> package = nullptr;
  /// The CUDA release of the library at a path from `here`; 0.0 if it could not be determined.
  llvm::function_ref<versions::CudaVersion(llvm::StringRef path)> releaseOf = nullptr;
};

/// Applies every rule about the contents of a linked file (TG-5 and the AV classes): imports,
/// floors, device code, LTO-IR, search path, executable stack, manifest. Findings have the default
/// severity of their code; the caller applies the target's mode.
std::vector<core::Finding> judgeBinary(const Subject &subject, InstalledExports installed,
                                       LookAround lookAround);

/// The least version of each CUDA library that satisfies the imports, by SONAME (SY-7, SY-8). \p
/// major is the CUDA major of the runtime; libraries that this major does not have are omitted.
std::vector<core::LibraryFloor> floorsOf(const core::BinaryFacts &facts, unsigned major);

/// A library of glibc, of the compiler's runtime or of Python: none defines a symbol of CUDA.
bool isSystemLibrary(llvm::StringRef soname);

/// The folders that the loader searched, each once.
std::string searchedText(const core::LoadResult &load);

/// The CUDA majors that the file's own NEEDED entries and version nodes leave: 12 and 13 for one
/// that NEEDs libcusparse.so.12 alone, none if they contradict each other. std::nullopt if the file
/// uses no library of CUDA.
std::optional<llvm::SmallVector<unsigned, 3>> majorsOf(const core::BinaryFacts &facts);
/// The one that majorsOf() leaves; 0 if there is no such one.
unsigned majorOf(const core::BinaryFacts &facts);
/// A floor that every version read of the library satisfies, for a file that NEEDs it and imports
/// nothing from it.
core::LibraryFloor floorOfAny(llvm::StringRef soname, unsigned major);

} // namespace cudacc::policy
