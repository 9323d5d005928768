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

/// Whether the file at TargetLibrary::path exports the name; \p node is the version node that the
/// importer asks for, empty: none. Asked only for libraries that have a path.
using InstalledExports = llvm::function_ref<versions::Exported(
    const core::TargetLibrary &library, llvm::StringRef symbol, llvm::StringRef node)>;

/// What a judgement of one binary looks at. Everything but the file and the target may be left out;
/// then the rules that need it do not speak.
struct Subject {
  const core::BinaryFacts *facts = nullptr;
  const core::Target *target = nullptr;
  /// What the loader would do with it in the declared layout; null: search path not judged.
  const core::LoadResult *load = nullptr;
  /// The link step judges a file that is about to lie somewhere else: path rules about its present
  /// place do not apply.
  bool atLink = false;
  /// What the file is a part of requires torch: it is loaded after torch's libraries, also where it
  /// NEEDs none of them.
  bool afterTorch = false;
  /// At the link too what is no more than a remark is looked for: a severity may make it more.
  bool remarks = false;
  /// floorsOf(*facts, M), M its own major or else the runtime's, where the caller has it already:
  /// one file against many runtimes. Null: computed when something is missing.
  const std::vector<core::LibraryFloor> *floors = nullptr;
  /// Whether the file at TargetLibrary::path has version information (DT_VERSYM); nothing: could
  /// not be read. Null: never asked (SY-14).
  llvm::function_ref<std::optional<bool>(const core::TargetLibrary &)> versioned = nullptr;
  /// Whether a library of the process that is none of NVIDIA's defines the name, the file's own
  /// dependencies; Unknown: one of them cannot be read. Null: known by their names alone.
  llvm::function_ref<versions::Exported(llvm::StringRef symbol)> others = nullptr;
  /// What torch's own libraries export. Null: names of torch's are not judged.
  AskTorch torchTable = nullptr;
  /// Whether the own libraries of the torch that lies in the environment export a name. Null: the
  /// runtime is no place, or has none.
  DefinedBeside installedTorch = nullptr;
  /// As `others`, for libraries that are none of torch's: of a release, the table answers. Files of
  /// the package itself count, whatever their names. Null: known by their names alone.
  DefinedBeside besideTorch = nullptr;
  /// What the loader does with the file where it lies on this machine, without LD_LIBRARY_PATH;
  /// nothing: the file is not there, or is for another machine. Called only after the file failed
  /// to load beside wheels that nobody declared (CC4118). Null: never asked.
  llvm::function_ref<std::optional<core::LoadResult>()> here = nullptr;
  /// Whether a search path entry is there because of the LDFLAGS of a Python alone; nothing: nobody
  /// on this machine knows. Null: never asked.
  llvm::function_ref<std::optional<bool>(llvm::StringRef path)> isPythonFolder = nullptr;
  /// What the same file is found to be under another runtime by tables, for the fixes that name
  /// one. Null: judged without what `load`, `others` and `here` say.
  llvm::function_ref<std::vector<core::Finding>(const core::Target &)> under = nullptr;
  /// The judgement is such a question itself, or its fixes are not used: no runtime is tried.
  bool isTrial = false;
  /// The distribution whose installed file this is (`vllm`): who reads the finding did not build
  /// it. Empty: none, or not known. Null: never asked; else asked once something is wrong.
  llvm::function_ref<std::string()> package = nullptr;
  /// The CUDA release of the library at a path that `here` gave; 0.0: could not be determined.
  llvm::function_ref<versions::CudaVersion(llvm::StringRef path)> releaseOf = nullptr;
};

/// Every rule about the bytes of a linked file (TG-5 and the AV classes): imports, floors,
/// device code, LTO-IR, search path, executable stack, manifest. Findings carry the severity of
/// their class; \p mode of the target is applied by the caller.
std::vector<core::Finding> judgeBinary(const Subject &subject, InstalledExports installed,
                                       LookAround lookAround);

/// The least version per CUDA library that satisfies the imports, by SONAME (SY-7, SY-8). \p major
/// is the CUDA major of the runtime; libraries that it does not have are left out.
std::vector<core::LibraryFloor> floorsOf(const core::BinaryFacts &facts, unsigned major);

/// A library of glibc, of the compiler's runtime or of Python: none defines a name of CUDA's.
bool isSystemLibrary(llvm::StringRef soname);

/// Where the loader looked, each folder once.
std::string searchedText(const core::LoadResult &load);

/// The CUDA major that the file's own NEEDED and version nodes tell; 0: they leave it open.
unsigned majorOf(const core::BinaryFacts &facts);

} // namespace cudacc::policy
