// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/LoadResult.h"
#include "driver/loader/search/Candidate.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::loader {

/// \p path is absolute; a relative one was put behind Situation::workingDirectory.
using Open = llvm::function_ref<Candidate(llvm::StringRef path)>;
/// Path in ld.so.cache for a SONAME; nothing: not in it. A null function: the cache is not known,
/// and a search that gets that far says so in LoadResult::unknown.
using Cache = llvm::function_ref<std::optional<std::string>(llvm::StringRef name)>;

/// The process into which the file is loaded.
struct Situation {
  /// The program: its path for $ORIGIN, its RPATH and RUNPATH. Null: a program without either, as
  /// Python's is.
  const core::BinaryFacts *program = nullptr;
  /// All links resolved: that is what $ORIGIN is taken from (/proc/self/exe).
  std::string programPath;
  /// The loader itself, which is in every process.
  std::string interpreter = "/lib64/ld-linux-x86-64.so.2";
  /// Objects that are in the process, in the order they were loaded (LS-20 to LS-22).
  struct Present {
    std::string path;
    const core::BinaryFacts *facts = nullptr;
    uint64_t device = 0, inode = 0;
    /// Names it was asked for by, besides its SONAME.
    std::vector<std::string> names;
    /// Index in `present` of the object that NEEDED it first; nothing: the program, or dlopen. Its
    /// RPATH is searched for what this one needs.
    std::optional<size_t> loader;
  };
  std::vector<Present> present;
  /// Index in `present` of the object that calls dlopen; nothing: the program (LS-24, LS-25).
  std::optional<size_t> caller;
  /// Elements of LD_LIBRARY_PATH; an empty element is the working directory (LS-15).
  std::vector<std::string> libraryPath;
  std::vector<std::string> defaultDirectories{"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu",
                                              "/lib", "/usr/lib"};
  /// Subdirectories that are preferred in every directory of every list (LS-16).
  std::vector<std::string> hwcaps{"glibc-hwcaps/x86-64-v4", "glibc-hwcaps/x86-64-v3",
                                  "glibc-hwcaps/x86-64-v2"};
  std::string workingDirectory = "/";
  /// $LIB and $PLATFORM.
  std::string lib = "lib/x86_64-linux-gnu", platform = "x86_64";
  /// Set-user-ID: LD_LIBRARY_PATH is not looked at.
  bool secure = false;
};

/// dlopen of \p path (with a slash) or of a bare name, with everything it NEEDs, as glibc 2.36 does
/// it. What is in the process has its own needs there too. An executable cannot be opened so: see
/// `start`.
core::LoadResult load(llvm::StringRef path, const Situation &situation, Open open, Cache cache);

/// Execution of the situation's program: everything it NEEDs. `present` is what LD_PRELOAD brought.
core::LoadResult start(const Situation &situation, Open open, Cache cache);

/// The process after a load that went well: what it brought is in `present`, under the names it was
/// asked for by. For what one of the new objects opens later, set `caller`.
Situation after(Situation situation, const core::LoadResult &loaded, Open open);

/// Index in `present` of the object that the loader knows by \p path.
std::optional<size_t> find(const Situation &situation, llvm::StringRef path);

/// Elements of a value of LD_LIBRARY_PATH: split at colons and semicolons; an empty value has none.
std::vector<std::string> libraryPath(llvm::StringRef value);

/// Directories, $LIB, $PLATFORM, subdirectories and interpreter of a machine (ELF e_machine), as
/// Debian's glibc 2.36 has them. False: no machine we know, nothing changed.
bool setMachine(Situation &situation, uint16_t machine);

} // namespace cudacc::loader
