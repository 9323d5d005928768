// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/Exports.h"
#include "driver/core/LibraryFloor.h"
#include "driver/core/LoadResult.h"
#include "driver/core/Target.h"
#include "driver/policy/rules/Judge.h"
#include "driver/policy/rules/TorchImports.h"
#include "driver/versions/Requirement.h"
#include <map>

namespace cudacc::policy {

/// Libraries that a process has beside NVIDIA's and the system's.
struct Others {
  std::vector<std::string> paths;
  /// All that the file needs, directly or not, are among them; if not, what none of them defines
  /// may still be defined.
  bool isComplete = true;
};

/// Whether one of the libraries defines the symbol.
versions::Exported definedBy(core::Exports &exports, const Others &others, llvm::StringRef symbol);

/// A file that was loaded from where it lies on this machine, without LD_LIBRARY_PATH.
struct LoadedHere {
  core::LoadResult load;
  /// The CUDA releases of the libraries of a toolkit that it takes, by path; 0.0 if one could not
  /// be determined.
  std::map<std::string, versions::CudaVersion, std::less<>> releases;
};

/// Judges the file of a case under other runtimes, for fixes that name one.
class OtherRuntimes {
public:
  virtual ~OtherRuntimes() = default;
  virtual std::vector<core::Finding> judge(const core::Target &other) = 0;
};

/// A file to be judged, and what is known about the process that loads it. Everything but the
/// first three is optional; rules whose input is missing are skipped.
struct FileCase {
  const core::BinaryFacts *facts = nullptr;
  const core::Target *target = nullptr;
  /// What the libraries of the process export, by path.
  core::Exports *exports = nullptr;
  /// The simulated load in the declared layout; null: the search path is not judged.
  const core::LoadResult *load = nullptr;
  /// Null: it cannot be loaded where it lies, or that was not tried; see asksHere().
  const LoadedHere *here = nullptr;
  /// The file is being linked and will be moved: rules about its present place do not apply.
  bool atLink = false;
  /// The package of the file requires torch: the file is loaded after torch's libraries, even if it
  /// NEEDs none of them.
  bool afterTorch = false;
  /// A copy that auditwheel made, in NAME.libs, which another file of the package NEEDs: it is
  /// loaded by files of the package alone, whose own loads are judged with all that it NEEDs.
  bool isCopy = false;
  /// What the package of the file requires, as far as it is known.
  llvm::ArrayRef<versions::Requirement> declared;
  /// Look for remarks at the link too: a declared severity may raise them.
  bool remarks = false;
  /// floorsOf(*facts, M), where M is majorOf() of the file, else the runtime's major; set by
  /// callers that compare one file with many runtimes. Null: computed when something is missing.
  const std::vector<core::LibraryFloor> *floors = nullptr;
  /// std::nullopt: judged by the names of the dependencies. Files of the package itself count,
  /// whatever their names; `besideTorch` leaves out torch's own libraries, whose exports
  /// `torchTable` has, and what only they need.
  std::optional<Others> others, besideTorch;
  /// The symbols that the simulated process could not bind; std::nullopt if it did not get so far.
  std::optional<std::vector<std::string>> unbound;
  /// Null: torch's symbols are not judged.
  const TorchTable *torchTable = nullptr;
  /// Torch's own libraries in the environment; empty if the runtime is none, or has no torch.
  std::vector<std::string> torchLibraries;
  /// Search path entries of the file of which it is known whether they are there only because of a
  /// Python's LDFLAGS.
  std::map<std::string, bool, std::less<>> pythonFolders;
  /// Null: no other runtime is tried.
  OtherRuntimes *otherRuntimes = nullptr;
  /// The distribution that installed this file (`vllm`), so that the reader of the finding did not
  /// build it. Empty if none or not known.
  std::string package;
};

/// Whether the verdict depends on FileCase::here: the file cannot be loaded beside wheels that
/// nobody declared (CC4118).
bool asksHere(const FileCase &input);

/// Applies every rule about the contents of a linked file (TG-5 and the AV classes): imports,
/// floors, device code, LTO-IR, search path, executable stack, manifest. Findings have the default
/// severity of their code; the caller applies the target's mode.
std::vector<core::Finding> judgeBinary(const FileCase &input, LookAround lookAround);

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
/// The end of a version specifier that excludes the versions \p without and none of those \p with:
/// `,!=9.3.*` for a minor without any of the latter, else `,!=9.3.1` for each version.
std::string excluding(llvm::ArrayRef<versions::Version> without,
                      llvm::ArrayRef<versions::Version> with);
/// floorsOf(), and floorOfAny() of each library that the file NEEDs without importing from it: it
/// has to be there all the same.
std::vector<core::LibraryFloor> floorsOfNeeded(const core::BinaryFacts &facts, unsigned major);

} // namespace cudacc::policy
