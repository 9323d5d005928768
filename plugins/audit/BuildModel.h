// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::audit {

/// Where in the project something is written.
struct Place {
  /// Absolute; empty if not known.
  std::string file;
  /// 0 stands for the whole file.
  unsigned line = 0;
};

enum class TargetType : uint8_t { Program, Shared, Module, Static, Objects, Custom, Other };

/// Sources of one target that are compiled with the same settings.
struct CompileGroup {
  /// `CUDA`, `CXX`, `C`.
  std::string language;
  /// Absolute.
  std::vector<std::string> sources;
};

struct BuildTarget {
  std::string name;
  /// Set if the build tree has several configurations; empty otherwise.
  std::string configuration;
  TargetType type = TargetType::Other;
  /// Language that determines the linker; empty if the target is not linked, or not known.
  std::string language;
  /// Its output files, absolute.
  std::vector<std::string> artefacts;
  std::vector<CompileGroup> groups;
  /// Words of the link from the project or the build system: flags, files, `-lNAME`.
  std::vector<std::string> linkWords;
  /// Installation folders, absolute or relative to the prefix; empty if never installed.
  std::vector<std::string> destinations;
  /// Files that its commands write, absolute.
  std::vector<std::string> generated;
  /// It runs a nested build, about which nothing is known here.
  bool isBuild = false;
  Place place;

  bool isLinked() const {
    return type == TargetType::Program || type == TargetType::Shared || type == TargetType::Module;
  }
};

/// A step of the build that starts a compiler.
struct BuildCommand {
  enum class Kind : uint8_t { Compile, DeviceLink, Link };
  Kind kind = Kind::Compile;
  /// The project wrote it; it does not come from a rule of the build system.
  bool isOwn = false;
  /// It is a call of nvcc, or one of its sources is CUDA.
  bool isCuda = false;
  /// Programs in the order in which they start each other: launchers, then the compiler. Absolute
  /// if the command line gives a path.
  std::vector<std::string> programs;
  /// Absolute.
  std::string output;
  std::vector<std::string> sources;
  /// What the linker reads: absolute paths and `-lNAME`.
  std::vector<std::string> inputs;
  /// Requirements declared on the command line itself, joined by `;`.
  std::string declared;
  /// Index into BuildModel::targets; std::nullopt if it belongs to no known target.
  std::optional<size_t> target;
};

/// How an installation changes the search path of a file.
struct PathEdit {
  /// In the build tree, absolute.
  std::string artefact;
  /// The part that the build system added, as it is in the file, and its replacement.
  std::string from, to;
  /// The rest of the path is removed as well.
  bool dropsRest = false;
  /// The whole path is replaced.
  bool replacesAll = false;
  /// Each element of `from`, and each that consists of `padding` alone, is removed wherever it is;
  /// `to` is put in front of the rest.
  bool byElement = false;
  char padding = '\0';
};

/// The tools of a language, as the configuration determined them.
struct Toolchain {
  std::string language;
  /// Absolute path of the compiler.
  std::string compiler;
  std::string version;
  /// Program that links targets of this language alone; empty if it is the compiler, or not known.
  std::string linkDriver;
  /// Root of the CUDA toolkit; empty if not known.
  std::string root;
};

/// A configured build as its own files describe it, for any build system.
struct BuildModel {
  /// Absolute.
  std::string build, source;
  /// Where it was configured, if it was copied or moved since; empty otherwise.
  std::string configuredAs;
  /// `CMake 3.25.1, Ninja`.
  std::string system;
  /// Targets were described, with places; otherwise they are derived from the commands.
  bool isDescribed = false;
  /// The commands could be read.
  bool hasCommands = false;
  std::vector<Toolchain> toolchains;
  std::vector<BuildTarget> targets;
  std::vector<BuildCommand> commands;
  std::vector<PathEdit> edits;
  /// Files that the configuration reads and that changed after it.
  std::vector<std::string> newer;

  const Toolchain *toolchain(const char *language) const {
    for (const Toolchain &each : toolchains)
      if (each.language == language)
        return &each;
    return nullptr;
  }
};

} // namespace cudacc::audit
