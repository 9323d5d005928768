// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::audit {

/// Where in the project something is written.
struct Place {
  /// Absolute; empty: not known.
  std::string file;
  /// 0: the file as a whole.
  unsigned line = 0;
};

enum class TargetType : uint8_t { Program, Shared, Module, Static, Objects, Custom, Other };

/// Sources of one target that are compiled alike.
struct CompileGroup {
  /// `CUDA`, `CXX`, `C`.
  std::string language;
  /// Absolute.
  std::vector<std::string> sources;
};

struct Target {
  std::string name;
  /// Of a build tree that holds several; else empty.
  std::string configuration;
  TargetType type = TargetType::Other;
  /// The language that decides what links it; empty: not linked, or not known.
  std::string language;
  /// What is made, absolute.
  std::vector<std::string> artefacts;
  std::vector<CompileGroup> groups;
  /// Words of the link that the project or the build system gave: flags, files, `-lNAME`.
  std::vector<std::string> linkWords;
  /// Relative to the prefix, or absolute; empty: never installed.
  std::vector<std::string> destinations;
  /// Files that its commands make, absolute.
  std::vector<std::string> generated;
  /// It runs a whole build of its own, of which nothing is known here.
  bool isBuild = false;
  Place place;

  bool isLinked() const {
    return type == TargetType::Program || type == TargetType::Shared || type == TargetType::Module;
  }
};

/// A step of the build that starts a compiler.
struct Command {
  enum class Kind : uint8_t { Compile, DeviceLink, Link };
  Kind kind = Kind::Compile;
  /// The project wrote it itself: no rule of the build system made it.
  bool isOwn = false;
  /// The device compiler sees one of its sources, or nvcc does.
  bool isCuda = false;
  /// Programs as they are started, each in front of the next: launchers, then the compiler.
  /// Absolute where the line has a path.
  std::vector<std::string> programs;
  /// Absolute.
  std::string output;
  std::vector<std::string> sources;
  /// What the linker reads: absolute files, and `-lNAME`.
  std::vector<std::string> inputs;
  /// Requirements that the line itself declares, joined by `;`.
  std::string declared;
  /// Index into BuildModel::targets; nothing: it belongs to none that is known.
  std::optional<size_t> target;
};

/// What an installation does to the search path of a file.
struct PathEdit {
  /// In the build tree, absolute.
  std::string artefact;
  /// The part that the build system put in, as it stands in the file, and what comes instead.
  std::string from, to;
  /// What else is in the path is taken out, too.
  bool dropsRest = false;
  /// The whole path is replaced, whatever it was.
  bool replacesAll = false;
  /// Each element of `from` is taken out wherever it stands, and those that are `padding` alone;
  /// `to` comes in front of what is left.
  bool byElement = false;
  char padding = '\0';
};

/// A language as the configuration determined it.
struct Toolchain {
  std::string language;
  /// Absolute path of the compiler.
  std::string compiler;
  std::string version;
  /// What links targets of this language alone; empty: the compiler, or not known.
  std::string linkDriver;
  /// Of the CUDA toolkit; empty: not known.
  std::string root;
};

/// A configured build as its own files describe it, whatever build system wrote them.
struct BuildModel {
  /// Absolute.
  std::string build, source;
  /// Where it was configured, if it lies elsewhere now: a copy, or moved.
  std::string configuredAs;
  /// `CMake 3.25.1, Ninja`.
  std::string system;
  /// Targets are described, with places; else they are guessed from the commands.
  bool isDescribed = false;
  /// The commands could be read.
  bool hasCommands = false;
  std::vector<Toolchain> toolchains;
  std::vector<Target> targets;
  std::vector<Command> commands;
  std::vector<PathEdit> edits;
  /// Files that the configuration reads and that were changed after it.
  std::vector<std::string> newer;

  const Toolchain *toolchain(const char *language) const {
    for (const Toolchain &each : toolchains)
      if (each.language == language)
        return &each;
    return nullptr;
  }
};

} // namespace cudacc::audit
