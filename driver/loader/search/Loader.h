// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/LoadResult.h"
#include "driver/loader/search/Tree.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/BinaryFormat/ELF.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::loader {

/// The process into which a file is loaded.
struct Situation {
  /// ELF e_machine.
  uint16_t machine = llvm::ELF::EM_X86_64;
  /// The program, with its RPATH and RUNPATH. Null for a program without either, such as Python.
  const core::BinaryFacts *program = nullptr;
  /// With symbolic links resolved, since $ORIGIN is derived from it (/proc/self/exe).
  std::string programPath;
  /// Path of the loader, which is part of every process.
  std::string interpreter = "/lib64/ld-linux-x86-64.so.2";
  /// Objects already in the process, in load order (LS-20 to LS-22).
  struct Present {
    std::string path;
    const core::BinaryFacts *facts = nullptr;
    uint64_t device = 0, inode = 0;
    /// Names it was requested by, apart from its SONAME.
    std::vector<std::string> names;
    /// Index in `present` of the first object that NEEDED it, whose RPATH also applies to this
    /// object's dependencies; std::nullopt for the program or dlopen.
    std::optional<size_t> loader;
  };
  std::vector<Present> present;
  /// Index in `present` of dlopen's caller; std::nullopt for the program (LS-24, LS-25).
  std::optional<size_t> caller;
  /// Elements of LD_LIBRARY_PATH; an empty element is the working directory (LS-15).
  std::vector<std::string> libraryPath;
  std::vector<std::string> defaultDirectories{"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu",
                                              "/lib", "/usr/lib"};
  /// Subdirectories that are preferred in each directory of each list (LS-16).
  std::vector<std::string> hwcaps{"glibc-hwcaps/x86-64-v4", "glibc-hwcaps/x86-64-v3",
                                  "glibc-hwcaps/x86-64-v2"};
  std::string workingDirectory = "/";
  /// Values of $LIB and $PLATFORM.
  std::string lib = "lib/x86_64-linux-gnu", platform = "x86_64";
  /// Set-user-ID program: LD_LIBRARY_PATH is ignored.
  bool secure = false;
  /// Go on behind what is missing, as if it were there: LoadResult::behind.
  bool looksBehind = false;
};

/// Simulates dlopen of \p path (with a slash) or of a bare name, with all dependencies, as glibc
/// 2.36 does it. Objects already in the process are taken to have their dependencies loaded. For
/// executables, use `start`.
core::LoadResult load(llvm::StringRef path, const Situation &situation, Tree &tree);

/// Simulates the start of the situation's program with all dependencies. \p preload: the elements
/// of LD_PRELOAD, which the program opens before its own; what they NEED comes after what it NEEDs.
core::LoadResult start(const Situation &situation, Tree &tree,
                       llvm::ArrayRef<std::string> preload = {});

/// The process after a successful load: the new objects are in `present`, with the names they were
/// requested by. To simulate what one of them opens later, set `caller`.
Situation after(Situation situation, const core::LoadResult &loaded, Tree &tree);

/// Index in `present` of the object with the loader's spelling \p path.
std::optional<size_t> find(const Situation &situation, llvm::StringRef path);

/// Splits the value of LD_LIBRARY_PATH at colons and semicolons; an empty value has no elements.
std::vector<std::string> libraryPath(llvm::StringRef value);

/// Sets machine, directories, $LIB, $PLATFORM, hwcaps subdirectories and interpreter for a machine
/// (ELF e_machine), as in Debian's glibc 2.36. Returns false, without changes, for unknown
/// machines.
bool setMachine(Situation &situation, uint16_t machine);

} // namespace cudacc::loader
