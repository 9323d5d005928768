#pragma once

#include "driver/core/Judgement.h"
#include "driver/core/LoadResult.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::core {

/// The driver of this machine, read from its files; nothing of it is run.
struct RunningDriver {
  /// The libcuda.so.1 that the loader takes; empty: there is none.
  std::string path;
  /// Its release (`535.104.05`), and the kernel module's; empty: not known, or not there.
  std::string release, kernel;
  /// By the release; 0.0: not known.
  versions::CudaVersion cuda;
  /// "the name of its file", "/proc/driver/nvidia/version".
  std::string evidence;
  /// It is the stub that exists for linking.
  bool isStub = false;

  bool present() const { return !path.empty() && !isStub; }
};

/// A CUDA library that an import on this machine could find.
struct FoundCopy {
  std::string soname, path;
  /// Where it belongs: "environment", "bundled with torch", "LD_LIBRARY_PATH", "loader's cache".
  std::string where;
  /// Empty: not known.
  std::string dist, version;
  versions::CudaVersion cuda;
};

/// A toolkit that could compile here.
struct FoundToolkit {
  std::string root;
  versions::CudaVersion cuda;
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

/// How a world is to be changed to see whether a way out leads out.
struct Change {
  /// Distributions that are installed, in the place of others of their name.
  std::vector<std::pair<std::string, std::string>> wheels;
  /// A release of torch, with all that it requires; empty: as it is.
  std::string torch;
  std::optional<std::vector<std::string>> libraryPath;
  /// Files that are loaded before everything else (LD_PRELOAD), and whether those that the user
  /// named so are not.
  std::vector<std::string> preload;
  bool withoutPreload = false;
  /// What is imported before.
  std::optional<std::vector<std::string>> before;
  /// The file is linked again: its DT_RPATH, NEEDED that are added, and those that get another
  /// name.
  bool relinked = false;
  std::vector<std::string> rpath, needed;
  std::vector<std::pair<std::string, std::string>> renamed;
  /// It is built again with this toolkit; 0.0: it is not.
  versions::CudaVersion toolkit;
};

/// A way out, best kinds first.
struct Remedy {
  enum class Kind { Undo, Framework, Wheel, Rebuild, Relink, Order, Variable };
  Kind kind = Kind::Wheel;
  /// "take /opt/old out of LD_LIBRARY_PATH".
  std::string text;
  /// Lines for a shell, in their order; empty: nothing that a shell does.
  std::vector<std::string> commands;
  /// What is to be known before; empty: nothing.
  std::string price;
  Change change;
  /// Another of its kind is worth naming beside it.
  bool hasOther = false;
  /// What the same judgement says to the changed world. Unknown: all is well but for the driver,
  /// which this machine lacks.
  Outcome after = Outcome::Unknown;
};

const char *str(Remedy::Kind kind);

/// What `doctor` says of one file.
struct Diagnosis {
  Judgement judgement;
  /// What the process does; empty: it loads. glibc's own words.
  std::string predicted;
  enum class Ends { Loads, Fails, Aborts, FirstCall };
  Ends ends = Ends::Loads;
  std::vector<LoadedCopy> loaded;
  /// The last load, which is the file's own unless something before it failed.
  LoadResult load;
  std::vector<Remedy> remedies;
};

const char *str(Diagnosis::Ends ends);

/// What `doctor` found.
struct DoctorReport {
  /// The environment's prefix; empty: none. `why`: "--env", "VIRTUAL_ENV", "the file's place".
  std::string prefix, why;
  /// The program that imports; empty: none was found.
  std::string python;
  std::string torch;
  versions::CudaVersion line;
  RunningDriver driver;
  std::vector<FoundToolkit> toolkits;
  std::vector<FoundCopy> copies;
  /// Elements of LD_LIBRARY_PATH.
  std::vector<std::string> libraryPath;
  /// What is imported first.
  std::vector<std::string> before;
  /// Of the environment.
  std::vector<Finding> problems;
  std::vector<Diagnosis> files;
};

} // namespace cudacc::core
