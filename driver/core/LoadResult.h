// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/CudaVersion.h"
#include <string>
#include <vector>

namespace cudacc::core {

/// Why the loader takes a file (LS-0a to LS-0e).
enum class LoadedBy {
  Root,
  /// Already loaded: matched by its SONAME or the name it was requested by (LS-0a).
  AlreadyLoaded,
  /// The search found a file whose inode is already loaded (LS-22).
  SameFile,
  Slash,
  Rpath,
  LibraryPath,
  Runpath,
  Cache,
  Default,
};

/// One library that the loader resolved.
struct LoadStep {
  /// As written in NEEDED or passed to dlopen.
  std::string name;
  /// Path of the object that requests it. Empty for the program.
  std::string askedBy;
  LoadedBy by = LoadedBy::Root;
  /// The file taken, as the loader spells its path.
  std::string path;
  /// The path element that led to it, unexpanded, and the object whose RPATH or RUNPATH has it.
  std::string element, elementOf;
  /// Files that were found and skipped, with the reason: "wrong ELF class", "no such symlink
  /// target".
  std::vector<std::string> skipped;
};

/// What code of a process opens by name and does not find. `opener`: a library's path, or the name
/// of a distribution; `raises`: what it says; `isBeside`: the loader of the file may bring it.
struct NotOpened {
  std::string library, opener, raises = {};
  bool endsProcess = false, isBeside = false;
};

/// What ld.so would do with a file, up to the first failure.
struct LoadResult {
  /// In load order, breadth first. The first is the file itself.
  std::vector<LoadStep> steps;
  /// How many steps behind the first are files of LD_PRELOAD.
  size_t preloaded = 0;
  /// glibc's message ("libX.so.1: cannot open shared object file: No such file or directory").
  /// Empty if everything was found.
  std::string failure;
  /// The load does not fail but kills the process: SIGBUS, because a file is truncated. `failure`
  /// is then worded by cuda-cc.
  bool endsProcess = false;
  /// The file that was found but cannot be loaded, further details ("mode 0600 of root"), and the
  /// package that installed it, as pip names it. Empty if there is none or it is not known.
  std::string unloadable, detail, package;
  /// The name that was not found or could not be loaded, and the object that requested it.
  std::string missing, askedBy;
  /// Directories searched for it, in order; files found there and skipped, with the reason.
  std::vector<std::string> searched, skipped;
  /// Facts that could not be determined (the linker cache, an unreadable file), one clause each. A
  /// success depends on them.
  std::vector<std::string> unknown;
  /// Where files that are installed together have one of the name `missing`, which no search path
  /// reaches. Empty if nowhere or not known.
  std::string elsewhere;
  /// Where the file lies below its installation root: `package/lib/libx.so`, `../../../bin/x` of an
  /// environment. Empty if not known.
  std::string place;
  /// What else would be missing, were everything there that is missing before it; without steps.
  /// Only if the situation asks for it.
  std::vector<LoadResult> behind;
  /// What is not found later, when the code that was loaded is used.
  std::vector<NotOpened> notOpened;

  bool ok() const { return failure.empty(); }
};

/// A library that is in the process after a load.
struct LoadedCopy {
  std::string name, path;
  /// "RUNPATH $ORIGIN/../../nvjitlink/lib of libcusparse.so.12", "LD_LIBRARY_PATH".
  std::string because;
  /// What loaded it before the file: "torch", "LD_PRELOAD". Empty if the file itself did.
  std::string broughtBy;
  /// The element of LD_LIBRARY_PATH that led to it, if one did; the object that requests it first.
  std::string element, askedBy;
  /// `version` and `cuda`: for NVIDIA libraries, if known.
  std::string version;
  versions::CudaVersion cuda;
  bool isCuda = false;
};

/// Why symbol binding stops a process although every file was found.
struct BindingFailure {
  enum class Ends {
    /// dlopen returns null, or the program does not start.
    Load,
    /// ld.so aborts the process with an assertion.
    Process,
    /// The function is bound lazily: its first call ends the process.
    FirstCall,
  };
  Ends ends = Ends::Load;
  /// glibc's message, as dlerror returns it.
  std::string words;
  /// Path of the importing object.
  std::string importer;
  /// Empty if a whole version node is missing.
  std::string symbol;
  /// The version node, and the file that verneed names for it. Empty if unversioned.
  std::string node, file;
  /// Path of the loaded object with that name. Empty if there is none.
  std::string provider;
  /// All undefined symbols of the importer, `symbol` among them, in binding order.
  std::vector<std::string> missing;
};

} // namespace cudacc::core
