// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/simulation/FileCache.h"
#include "driver/core/LoadResult.h"
#include "driver/core/Target.h"
#include "driver/loader/binding/Binding.h"

namespace cudacc::commands {

/// Files that a change makes different from this disk. Paths are those of FileCache::plain.
struct Overlay {
  struct File {
    /// The file does not exist.
    bool removed = false;
    core::TargetLibrary row;
    core::BinaryFacts facts;
    /// CUDA major of the library.
    unsigned major = 0;
    uint64_t number = 0;

    versions::Exported exported(llvm::StringRef symbol, llvm::StringRef node) const;
  };
  std::map<std::string, File, std::less<>> files;
  /// Path of the file that was linked again; its imports may differ.
  std::string rebuilt;
  core::BinaryFacts facts;
  /// Only the file's dynamic section differs: it needs the same symbol versions.
  bool isRelinked = false;
  /// NEEDED names that were replaced (old, new), in verneed too (SY-16).
  std::vector<std::pair<std::string, std::string>> renamed;

  bool empty() const { return files.empty() && rebuilt.empty(); }
};

/// A process on this machine, built up as the loader does, one load after another.
class Process {
public:
  struct Outcome {
    core::LoadResult load;
    std::optional<core::BindingFailure> binding;
    std::vector<std::string> unknown;

    bool ok() const { return load.ok() && !binding; }
  };

  /// \p overlay must outlive this.
  /// \p isAnyMachine: see EnvironmentSnapshot.
  Process(FileCache &fileCache, const Overlay &overlay, uint16_t machine,
          bool isAnyMachine = false);

  /// Sets LD_LIBRARY_PATH and LD_PRELOAD; must be called first.
  void surround(std::vector<std::string> libraryPath, llvm::ArrayRef<std::string> preload);
  /// Starts the program that imports. Returns false if nothing is known about it; it is then taken
  /// to NEED nothing and to have no search path.
  bool startPython(llvm::StringRef path);
  /// Executes a program under the name \p name. Its functions are bound lazily unless \p now
  /// (LD_BIND_NOW).
  Outcome start(llvm::StringRef name, const core::BinaryFacts &facts, bool now);
  /// dlopen, as Python's import does it. What fails to load is not in the process afterwards. \p
  /// isGlobal: RTLD_GLOBAL. \p label: who opens it.
  Outcome open(llvm::StringRef path, bool isGlobal, llvm::StringRef label);
  /// Treats a library that was not found as loaded.
  void assume(llvm::StringRef name);
  /// What a bare name resolves to when the object at \p caller opens it; empty: the program.
  core::LoadResult find(llvm::StringRef name, llvm::StringRef caller) const;

  const loader::Situation &situation() const { return process; }
  /// A file that was taken, with the label of the load that brought it.
  struct Taken {
    core::LoadStep step;
    std::string label;
  };
  llvm::ArrayRef<Taken> taken() const { return steps; }
  /// Facts of a file of the process; null if none are known.
  const core::BinaryFacts *factsOf(llvm::StringRef path) const;
  const Overlay::File *changed(llvm::StringRef path) const;

private:
  FileCache &fileCache;
  const Overlay &overlay;
  uint16_t machine;
  bool isAnyMachine;
  loader::Situation process;
  std::vector<Taken> steps;
  /// Number of `steps` that come from LD_PRELOAD; set when a program is started.
  std::optional<size_t> preloaded;
  /// Indices into `process.present` of the global scope, in search order.
  std::vector<size_t> global;
  /// Facts with fewer imports, by path; see checkedFacts.
  llvm::StringMap<std::unique_ptr<core::BinaryFacts>> reduced;
  std::string called;

  std::string plain(llvm::StringRef path) const;
  bool isAbsent(llvm::StringRef name) const;
  loader::Candidate look(llvm::StringRef path) const;
  std::optional<std::string> cached(llvm::StringRef name) const;
  std::vector<loader::Mapped> mapped(const loader::Situation &now, size_t newFrom);
  const core::BinaryFacts *checkedFacts(llvm::StringRef path, const core::BinaryFacts *facts);
  loader::BindingResult bind(llvm::ArrayRef<loader::Mapped> objects, size_t root, bool now);
  versions::Exported exported(const loader::Mapped &object, llvm::StringRef symbol,
                              llvm::StringRef node);
  void remember(const core::LoadResult &load, llvm::StringRef label);
};

} // namespace cudacc::commands
