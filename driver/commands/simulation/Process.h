// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/simulation/FileCache.h"
#include "driver/core/LoadResult.h"
#include "driver/core/Target.h"
#include "driver/loader/binding/Binding.h"

namespace cudacc::commands {

/// Files that a change makes other than they are on this disk. Paths are those of FileCache::plain.
struct Overlay {
  struct File {
    /// Not there.
    bool removed = false;
    core::TargetLibrary row;
    core::BinaryFacts facts;
    /// CUDA major that it is for.
    unsigned major = 0;
    uint64_t number = 0;

    versions::Exported exported(llvm::StringRef symbol, llvm::StringRef node) const;
  };
  std::map<std::string, File, std::less<>> files;
  /// A file that was linked anew, at its own path; its imports may be others.
  std::string rebuilt;
  core::BinaryFacts facts;
  /// Only its dynamic section is another: it needs the same versions.
  bool isRelinked = false;
  /// NEEDED names that became others, in verneed too (SY-16).
  std::vector<std::pair<std::string, std::string>> renamed;

  bool empty() const { return files.empty() && rebuilt.empty(); }
};

/// A process of this machine as the loader builds it up, one load after another.
class Process {
public:
  struct Outcome {
    core::LoadResult load;
    std::optional<core::BindingFailure> binding;
    std::vector<std::string> unknown;

    bool ok() const { return load.ok() && !binding; }
  };

  /// \p overlay outlives this.
  Process(FileCache &fileCache, const Overlay &overlay, uint16_t machine);

  /// LD_LIBRARY_PATH and LD_PRELOAD; to be said first.
  void surround(std::vector<std::string> libraryPath, llvm::ArrayRef<std::string> preload);
  /// Starts the program that imports. False: nothing is known of it, and it is taken to need and to
  /// lead to nothing.
  bool startPython(llvm::StringRef path);
  /// Execution of a program, called by \p name; its functions are bound when they are called,
  /// unless LD_BIND_NOW is set.
  Outcome start(llvm::StringRef name, const core::BinaryFacts &facts, bool now);
  /// dlopen, as Python imports. What fails is not in the process afterwards. \p isGlobal:
  /// RTLD_GLOBAL. \p label says who did it.
  Outcome open(llvm::StringRef path, bool isGlobal, llvm::StringRef label);
  /// A library is in the process that was not found.
  void assume(llvm::StringRef name);
  /// Where a bare name leads when the object at \p caller opens it (empty: the program).
  core::LoadResult find(llvm::StringRef name, llvm::StringRef caller) const;

  const loader::Situation &situation() const { return process; }
  /// Every file that was taken, with the label of the load that brought it.
  struct Taken {
    core::LoadStep step;
    std::string label;
  };
  llvm::ArrayRef<Taken> taken() const { return steps; }
  /// Facts of a file of the process; null: none are known.
  const core::BinaryFacts *factsOf(llvm::StringRef path) const;
  const Overlay::File *changed(llvm::StringRef path) const;

private:
  FileCache &fileCache;
  const Overlay &overlay;
  uint16_t machine;
  loader::Situation process;
  std::vector<Taken> steps;
  /// How many of them LD_PRELOAD brought to a program.
  std::optional<size_t> preloaded;
  /// Indices of `process.present` that every load searches first, in order.
  std::vector<size_t> global;
  /// Facts with fewer imports, by path.
  llvm::StringMap<std::unique_ptr<core::BinaryFacts>> reduced;
  std::string called;

  std::string plain(llvm::StringRef path) const;
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
