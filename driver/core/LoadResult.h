// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/CudaVersion.h"
#include <string>
#include <vector>

namespace cudacc::core {

/// Why the loader takes a file (LS-0a to LS-0e).
enum class LoadedBy {
  Root,
  /// Already in the process: the SONAME or the name it was asked for by (LS-0a).
  AlreadyLoaded,
  /// The search hit an inode that is loaded (LS-22).
  SameFile,
  Slash,
  Rpath,
  LibraryPath,
  Runpath,
  Cache,
  Default,
};

/// One answer of the search.
struct LoadStep {
  /// As NEEDED or dlopen said it.
  std::string name;
  /// Path of the object that asks; empty: the program.
  std::string askedBy;
  LoadedBy by = LoadedBy::Root;
  /// The file taken, as the loader spells it.
  std::string path;
  /// Path element that led to it, unexpanded, and the object whose RPATH or RUNPATH it is.
  std::string element, elementOf;
  /// Files that were there and passed over, with the reason: "wrong ELF class", "no such symlink
  /// target".
  std::vector<std::string> skipped;
};

/// What ld.so would do with a file, up to its first failure.
struct LoadResult {
  /// In the order of loading, breadth first; the first is the file itself.
  std::vector<LoadStep> steps;
  /// glibc's own words ("libX.so.1: cannot open shared object file: No such file or directory");
  /// empty: everything was found.
  std::string failure;
  /// Instead of failing, the load ends the process: SIGBUS, from a file that is cut off. `failure`
  /// is in our words then.
  bool endsProcess = false;
  /// The file that was found and cannot be loaded, what else is known of it ("mode 0600 of root"),
  /// and the package that brought it, as pip takes it; empty: none, or not known.
  std::string unloadable, detail, package;
  /// The name that was not found or not loadable, and who asked.
  std::string missing, askedBy;
  /// Directories searched for it, in order.
  std::vector<std::string> searched;
  /// Files that were there and passed over for it, with the reason.
  std::vector<std::string> skipped;
  /// Facts that were not to be had (the linker cache, a file that cannot be read), one clause each;
  /// a success is then only as good as these.
  std::vector<std::string> unknown;

  bool ok() const { return failure.empty(); }
};

/// A library in the process after a load.
struct LoadedCopy {
  std::string name, path;
  /// "RUNPATH $ORIGIN/../../nvjitlink/lib of libcusparse.so.12", "LD_LIBRARY_PATH".
  std::string because;
  /// What was imported before and brought it: "torch"; empty: the file itself.
  std::string broughtBy;
  /// The element of LD_LIBRARY_PATH that led to it; empty: none did.
  std::string element;
  /// Who asks for it first.
  std::string askedBy;
  /// Of NVIDIA's libraries, where known.
  std::string version;
  versions::CudaVersion cuda;
  bool isCuda = false;
};

/// Why a process does not go on once every file of a load was found.
struct BindingFailure {
  enum class Ends {
    /// dlopen returns null, or the program does not start.
    Load,
    /// ld.so stops the process, by an assertion.
    Process,
    /// The function is bound when it is first called, which ends the process.
    FirstCall,
  };
  Ends ends = Ends::Load;
  /// glibc's own words, as dlerror has them.
  std::string words;
  /// Path of the object that imports.
  std::string importer;
  /// Empty: a version that is missing as a whole.
  std::string symbol;
  /// The version node and the file that verneed means by it; empty: unversioned.
  std::string node, file;
  /// Path of the object of that name in the process; empty: there is none.
  std::string provider;
  /// Every symbol of the importer's that nothing defines, `symbol` among them, as they are bound.
  std::vector<std::string> missing;
};

} // namespace cudacc::core
