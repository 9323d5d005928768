// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Origin.h"
#include "driver/core/Settings.h"
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
  /// Installed under a compiler's name, or a compiler of a toolchain directory.
  Masquerade,
  /// `cuda-cc SUBCOMMAND`.
  Tool,
};

enum class Dialect { Nvcc, Gcc, Clang };

enum class CallKind {
  /// `--version`, `-print-*`, `-v` alone, `--dryrun`, `-###`: nothing is made, nothing is judged.
  Probe,
  /// `-E`, `-M`, `-MM`.
  Preprocess,
  /// Everything that ends in an object, assembly, PTX, cubin, fatbin, or only a syntax check.
  Compile,
  /// nvcc `-dlink`.
  DeviceLink,
  /// `-r`.
  RelocatableLink,
  /// nvcc `-lib`.
  Archive,
  /// Ends in a shared library or an executable; may compile on the way.
  Link,
  /// nvcc `--run`.
  Run,
};

/// One word of the compiler's command line after response files and NVCC_*_FLAGS were expanded.
struct Word {
  enum class Source : uint8_t { Argv, ResponseFile, Prepend, Append };
  llvm::StringRef text;
  Source source = Source::Argv;
  /// Index into Invocation::args: of the word itself, or of the word that named the response file.
  /// Meaningless for Prepend and Append.
  uint32_t arg = 0;
};

struct IncludeDir {
  enum class Kind : uint8_t { Quote, Angle, System, After };
  llvm::StringRef path;
  Kind kind = Kind::Angle;
};

/// Something that the linker reads, in the order of the line.
struct LinkInput {
  enum class Kind : uint8_t {
    /// A file by name: object, archive, shared library.
    File,
    /// `-lNAME`; text is NAME, or `:FILE` for `-l:FILE`.
    Library,
  };
  Kind kind = Kind::File;
  llvm::StringRef text;
  /// Index into Invocation::words of the word that holds it (`-lX`, or X of `-l X`).
  uint32_t word = 0;
  /// The word is more than this input (nvcc's `-la,b`, `-Xlinker -lx`, `-Wl,-lx`): it can be
  /// judged, not replaced.
  bool shared = false;
};

/// Options that begin with --cudacc-, taken out of the line.
struct OwnOptions {
  /// By setting, as given and in their order; a switch without a value is `true`.
  std::array<std::vector<std::string>, keyCount> given;
  std::optional<std::string> print;
  bool help = false;

  std::vector<std::string> &operator[](Key key) { return given[size_t(key)]; }
  llvm::ArrayRef<std::string> operator[](Key key) const { return given[size_t(key)]; }
};

/// A call, understood. Everything the later stages ask about the command line is a field here; the
/// words themselves are only edited by index (plan room).
struct Invocation {
  Role role = Role::Front;
  Dialect dialect = Dialect::Nvcc;
  CallKind kind = CallKind::Probe;

  /// Launchers in front of the compiler as given (`ccache`, `distcc`), outermost first.
  std::vector<std::string> launchers;
  /// The compiler as the caller named it (`g++`, `/opt/cuda/bin/nvcc`); empty for Role::Front.
  std::string compiler;
  /// Name of the subcommand for Role::Tool, whose arguments are `args`.
  std::string tool;
  /// The caller's arguments to the compiler, our own options taken out.
  std::vector<llvm::StringRef> args;
  /// `args` with response files and NVCC_PREPEND_FLAGS, NVCC_APPEND_FLAGS expanded.
  std::vector<Word> words;
  OwnOptions own;

  /// -v; -### and --dryrun, too.
  bool verbose = false;
  bool dryRun = false;
  /// The line ends in an option whose value is missing: nothing may be added behind it.
  bool danglingOption = false;
  /// Any NVCC_PREPEND_FLAGS or NVCC_APPEND_FLAGS is set and not empty.
  bool hasVariableFlags = false;

  /// Value of the -o that counts (the last); nothing: the compiler's default.
  std::optional<llvm::StringRef> output;
  std::vector<IncludeDir> includes;
  std::vector<llvm::StringRef> libraryDirs;
  std::vector<LinkInput> linkInputs;
  /// Inputs that are compiled, and those among them that the device compiler sees (.cu, -x cu).
  std::vector<llvm::StringRef> sources;
  unsigned cudaSources = 0;
  /// -ccbin's last value.
  std::optional<llvm::StringRef> ccbin;
  /// Indices into `words` of every word that belongs to a -ccbin option.
  llvm::SmallVector<uint32_t, 2> ccbinWords;
  /// clang's --cuda-path.
  std::optional<llvm::StringRef> cudaPath;
  /// A forced header may be added (EM-9): a compile, C, C++ or CUDA, no precompiled header, no
  /// module unit, preprocessed by the compiler itself.
  bool takesRecord = false;

  bool shared = false;
  bool staticLink = false;
  bool nostdinc = false;
  bool nostdlib = false;
  /// The line says that what is linked is no ordinary program or library: --oformat, -nostdlib,
  /// -nostartfiles, -ffreestanding, -Ttext and its siblings.
  bool freestanding = false;
  /// Values of -T.
  llvm::SmallVector<llvm::StringRef, 1> linkerScripts;
  /// -rpath elements in order, split at colons, from -Wl, -Xlinker and the like.
  std::vector<std::string> rpaths;
  bool givesBuildId = false;
  std::optional<std::string> linkerName;
  /// nvcc: -cudart value (none, shared, static); nothing: the default, static.
  std::optional<llvm::StringRef> cudart;
  /// The line holds -Wl, options that nvcc refuses without forwarding (R13).
  bool needsForwarding = false;

  /// Owns the texts that do not come from argv or the environment.
  std::shared_ptr<llvm::BumpPtrAllocator> arena = std::make_shared<llvm::BumpPtrAllocator>();
};

llvm::StringRef str(Role role);
llvm::StringRef str(Dialect dialect);
llvm::StringRef str(CallKind kind);

} // namespace cudacc::core
