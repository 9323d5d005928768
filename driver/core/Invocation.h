// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Origin.h"
#include "driver/core/Settings.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/StringSaver.h"
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::core {

/// How cuda-cc was called.
enum class Role {
  /// `cuda-cc ARGS`: nvcc with the target enforced.
  Front,
  /// `cuda-cc g++ ARGS`.
  Launcher,
  /// Installed under a compiler's name, or a compiler in a toolchain directory.
  Masquerade,
  /// `cuda-cc SUBCOMMAND`.
  Tool,
};

enum class Dialect { Nvcc, Gcc, Clang };

enum class CallKind {
  /// `--version`, `-print-*`, `-v` alone, `--dryrun`, `-###`: has no output and is not checked.
  Probe,
  /// `-E`, `-M`, `-MM`.
  Preprocess,
  /// Produces an object, assembly, PTX, a cubin or a fatbin, or only checks the syntax.
  Compile,
  /// nvcc `-dlink`.
  DeviceLink,
  /// `-r`.
  RelocatableLink,
  /// nvcc `-lib`.
  Archive,
  /// Produces a shared library or an executable; may compile first.
  Link,
  /// nvcc `--run`.
  Run,
};

/// One word of the compiler's command line after expansion of response files and NVCC_*_FLAGS.
struct Word {
  enum class Source : uint8_t { Argv, ResponseFile, ConfigFile, Prepend, Append };
  llvm::StringRef text;
  Source source = Source::Argv;
  /// Index into Invocation::args of the word itself, or of the word that named the response file.
  /// Undefined for ConfigFile, Prepend and Append.
  uint32_t arg = 0;
};

struct IncludeDir {
  enum class Kind : uint8_t { Quote, Angle, System, After };
  llvm::StringRef path;
  Kind kind = Kind::Angle;
};

/// An input of the linker, in command-line order.
struct LinkInput {
  enum class Kind : uint8_t {
    /// A file given by name: object, archive, shared library.
    File,
    /// `-lNAME`; text is NAME, or `:FILE` for `-l:FILE`.
    Library,
  };
  Kind kind = Kind::File;
  llvm::StringRef text;
  /// Index into Invocation::words of the word that holds it (`-lX`, or X of `-l X`).
  uint32_t word = 0;
  /// The word holds more than this input (nvcc's `-la,b`, `-Xlinker -lx`, `-Wl,-lx`), so the input
  /// can be checked but not replaced.
  bool shared = false;
};

/// The --cudacc- options, which are removed from the command line.
struct OwnOptions {
  /// Values by setting, in command-line order. A switch without a value is `true`.
  std::array<std::vector<std::string>, keyCount> given;
  std::optional<std::string> print;
  bool help = false;

  std::vector<std::string> &operator[](Key key) { return given[size_t(key)]; }
  llvm::ArrayRef<std::string> operator[](Key key) const { return given[size_t(key)]; }
};

/// Words that the compiler reads and cuda-cc could not: of a pipe, which can be read only once.
struct UnreadWords {
  /// A clause: `response file 'x' is no ordinary file`.
  std::string what;
  std::string fix;
};

/// A parsed call. Everything that later stages ask about the command line is a field here; the
/// words themselves are only edited by index (plan/command).
struct Invocation {
  Role role = Role::Front;
  Dialect dialect = Dialect::Nvcc;
  CallKind kind = CallKind::Probe;
  /// The compiler's name tells no dialect, and the rest of the line is not parsed.
  bool isOpen = false;

  /// Launchers in front of the compiler, as given (`ccache`, `distcc`), outermost first.
  std::vector<std::string> launchers;
  /// The compiler as the caller named it (`g++`, `/opt/cuda/bin/nvcc`). Empty for Role::Front.
  std::string compiler;
  /// For Role::Tool: name of the subcommand; its arguments are in `args`.
  std::string tool;
  /// The caller's arguments to the compiler, without --cudacc- options. Part of argv, or in
  /// `arena`.
  llvm::ArrayRef<llvm::StringRef> args;
  /// `args` with response files, clang's configuration files and NVCC_PREPEND_FLAGS,
  /// NVCC_APPEND_FLAGS expanded.
  std::vector<Word> words;
  OwnOptions own;

  /// -v, and also -### and --dryrun.
  bool verbose = false;
  bool dryRun = false;
  /// The last option lacks its value, so nothing may be appended to the line.
  bool danglingOption = false;
  /// Words that are not in `words`.
  std::optional<UnreadWords> unread;
  /// NVCC_PREPEND_FLAGS or NVCC_APPEND_FLAGS is set and not empty.
  bool hasVariableFlags = false;

  /// Value of the last -o. std::nullopt: the compiler's default.
  std::optional<llvm::StringRef> output;
  std::vector<IncludeDir> includes;
  std::vector<llvm::StringRef> libraryDirs;
  std::vector<LinkInput> linkInputs;
  /// Inputs that are compiled, and the number of those seen by the device compiler (.cu, -x cu).
  std::vector<llvm::StringRef> sources;
  unsigned cudaSources = 0;
  /// Value of the last -ccbin.
  std::optional<llvm::StringRef> ccbin;
  /// Indices into `words` of all words that belong to a -ccbin option.
  llvm::SmallVector<uint32_t, 2> ccbinWords;
  /// clang's --cuda-path.
  std::optional<llvm::StringRef> cudaPath;
  /// A forced header may be added (EM-9): the call compiles C, C++ or CUDA that the compiler itself
  /// preprocesses, and makes no precompiled header or module unit.
  bool takesRecord = false;
  /// The compiler, or nvcc's host compiler, writes a depfile, and make cannot do without what it
  /// lists (no -MP).
  bool lacksPhonyTargets = false, hostLacksPhonyTargets = false;
  /// The object gets the paths of headers, beside macros (-g3).
  bool namesHeaders = false;

  bool shared = false;
  bool staticLink = false;
  bool nostdinc = false;
  bool nostdlib = false;
  /// Options show that the output is no ordinary program or library: --oformat, -nostdlib,
  /// -nostartfiles, -ffreestanding, -Ttext and similar.
  bool freestanding = false;
  /// Values of -T.
  llvm::SmallVector<llvm::StringRef, 1> linkerScripts;
  /// Elements of -rpath in order, split at colons, from -Wl, -Xlinker and similar.
  std::vector<std::string> rpaths;
  bool givesBuildId = false;
  std::optional<std::string> linkerName;
  /// Value of nvcc's -cudart (none, shared, static). std::nullopt: the default, static.
  std::optional<llvm::StringRef> cudart;
  /// The line has -Wl, options, which nvcc rejects without forwarding (R13).
  bool needsForwarding = false;

  /// Owns the strings that do not come from argv or the environment.
  std::shared_ptr<llvm::BumpPtrAllocator> arena = std::make_shared<llvm::BumpPtrAllocator>();
};

llvm::StringRef str(Role role);
llvm::StringRef str(Dialect dialect);
llvm::StringRef str(CallKind kind);

} // namespace cudacc::core
