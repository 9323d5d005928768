// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/LoadResult.h"
#include "driver/loader/binding/Binding.h"
#include "driver/loader/search/Loader.h"
#include "driver/policy/rules/Opening.h"
#include "llvm/ADT/StringMap.h"
#include <memory>

namespace cudacc::process {

/// A process that sees one tree, built up as the loader does, one load after another.
class Process {
public:
  struct Outcome {
    core::LoadResult load;
    std::optional<core::BindingFailure> binding;
    std::vector<std::string> unknown;

    bool ok() const { return load.ok() && !binding; }
  };

  /// How much of a load is simulated.
  enum class Depth {
    /// Files are searched, and symbols bound.
    Whole,
    /// Files are searched.
    Search,
    /// Files are searched in a process of which only the tables know: a Python without a search
    /// path of its own, on any machine. What is missing does not hide what is missing behind it.
    Tables,
  };

  /// \p tree must outlive this. \p machine: ELF e_machine.
  Process(loader::Tree &tree, uint16_t machine, std::string workingDirectory,
          Depth depth = Depth::Whole);

  /// Sets LD_LIBRARY_PATH and LD_PRELOAD; must be called first.
  void surround(std::vector<std::string> libraryPath, std::vector<std::string> preload);
  /// Starts the program that imports, which lies at \p path with all links resolved. Null: nothing
  /// is known about it; it is then taken to NEED nothing and to have no search path. Returns the
  /// failure if it does not start because of LD_PRELOAD.
  std::optional<core::LoadResult> startPython(llvm::StringRef path, const core::BinaryFacts *facts);
  /// Executes the program at \p path (links resolved) under the name \p name. Its functions are
  /// bound lazily unless \p now (LD_BIND_NOW).
  Outcome start(llvm::StringRef name, llvm::StringRef path, const core::BinaryFacts &facts,
                bool now);
  /// dlopen, as Python's import does it. What fails to load is not in the process afterwards. \p
  /// isGlobal: RTLD_GLOBAL. \p label: who opens it.
  Outcome open(llvm::StringRef path, bool isGlobal, llvm::StringRef label);
  /// Treats a library that was not found as loaded.
  void assume(llvm::StringRef name);
  /// Treats these as loaded.
  void assume(std::vector<loader::Situation::Present> objects);
  /// What a bare name resolves to when the object at \p caller opens it; empty: the program.
  core::LoadResult find(llvm::StringRef name, llvm::StringRef caller) const;

  const loader::Situation &situation() const { return process; }
  /// A file that was taken, with the label of the load that brought it.
  struct Taken {
    core::LoadStep step;
    std::string label;
  };
  llvm::ArrayRef<Taken> taken() const { return steps; }

private:
  loader::Tree &tree;
  Depth depth;
  loader::Situation process;
  std::vector<Taken> steps;
  std::vector<std::string> preload;
  /// Indices into `process.present` of the global scope, in search order.
  std::vector<size_t> global;
  /// Facts with fewer imports, by path; see checkedFacts.
  llvm::StringMap<std::unique_ptr<core::BinaryFacts>> reduced;
  std::string called;

  std::vector<loader::Mapped> mapped(const loader::Situation &now, size_t newFrom);
  const core::BinaryFacts *checkedFacts(llvm::StringRef path, const core::BinaryFacts *facts);
  loader::BindingResult bind(llvm::ArrayRef<loader::Mapped> objects, size_t root, bool now);
  void remember(const core::LoadResult &load, llvm::StringRef label);
  /// What is in the process when the program has started is in the global scope.
  void makeGlobal();
  /// Objects keep the names that a load which failed asked for them by.
  void keepNames(const core::LoadResult &load);
};

/// What one of NVIDIA's libraries in a process opens at its first call, and what the loader then
/// finds.
struct FoundPart {
  policy::OpenedPart part;
  /// The library that opens it, as the loader spells its path.
  std::string opener;
  core::LoadResult found;
  /// See NotOpened.
  bool isBeside = false;

  core::NotOpened notOpened() const {
    return {part.soname, opener, part.raises, part.endsProcess, isBeside};
  }
};

/// \p target: the versions of the libraries. \p file: the path of the file that was loaded.
std::vector<FoundPart> partsOf(const Process &process, const core::Target &target,
                               llvm::StringRef file);

} // namespace cudacc::process
