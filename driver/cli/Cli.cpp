// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/Cli.h"
#include "driver/cli/Expansion.h"
#include "driver/cli/Languages.h"
#include "driver/cli/OwnOptions.h"
#include "driver/cli/Quoting.h"
#include "driver/cli/Scanner.h"
#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "driver/core/Invocation.h"
#include "driver/core/ToolchainDirectory.h"
#include "driver/support/PathSearch.h"
#include "driver/support/ProgramNames.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"

using namespace cudacc::core;
using llvm::Error;
using llvm::StringRef;
using llvm::sys::path::filename;

namespace cudacc::cli {

llvm::ArrayRef<StringRef> subcommands() {
  static constexpr StringRef names[] = {
#define CUDACC_SUBCOMMAND(name, ...) #name,
#include "driver/cli/subcommands.def"
  };
  return names;
}

/// Removes version and target: `g++` for `g++-12.2` and `x86_64-linux-gnu-g++`.
static StringRef bareName(StringRef base) {
  auto [front, version] = base.rsplit('-');
  bool versioned = !version.empty() && llvm::isDigit(version[0]) &&
                   llvm::all_of(version, [](char c) { return llvm::isDigit(c) || c == '.'; });
  return versioned ? front : base;
}

/// \p name is \p known, or that with a target in front.
static bool isNamed(StringRef name, StringRef known) {
  return name == known || (name.ends_with(known) && name.drop_back(known.size()).ends_with("-"));
}

std::optional<Dialect> dialectOf(StringRef compiler) {
  StringRef base = filename(compiler);
  if (support::isOurName(base))
    return std::nullopt;
  StringRef name = bareName(base);
  auto is = [&](StringRef known) { return isNamed(name, known); };
  if (is("nvcc"))
    return Dialect::Nvcc;
  if (is("clang") || is("clang++"))
    return Dialect::Clang;
  if (is("gcc") || is("g++") || is("cc") || is("c++"))
    return Dialect::Gcc;
  return std::nullopt;
}

/// Programs that build systems start where compilers are started, as CMake does with
/// RULE_LAUNCH_LINK, and that start no compiler themselves.
static constexpr llvm::StringLiteral otherPrograms[] = {
    "ar",      "ranlib",    "nm",       "strip",    "objcopy",   "objdump",   "readelf",
    "size",    "strings",   "ld",       "gold",     "lld",       "mold",      "wild",
    "dlltool", "addr2line", "elfedit",  "nvlink",   "fatbinary", "cuobjdump", "bin2c",
    "ptxas",   "cudafe++",  "nvdisasm", "cp",       "mv",        "ln",        "rm",
    "install", "touch",     "mkdir",    "patchelf", "chrpath",   "true",      "echo"};

/// Not a compiler. clang's companion tools have its name as a prefix and take sources.
static bool isTool(StringRef base) {
  StringRef name = bareName(base);
  if (name.starts_with("ld.") ||
      llvm::any_of(otherPrograms, [&](StringRef other) { return isNamed(name, other); }))
    return true;
  size_t at = name.find("clang-");
  if (at == StringRef::npos || (at != 0 && name[at - 1] != '-'))
    return false;
  StringRef rest = name.substr(at + 6);
  return rest != "cl" && rest != "cpp";
}

/// Sets the dialect that the compiler's name tells. Returns true if it tells none.
static bool setDialect(Invocation &call) {
  auto dialect = dialectOf(call.compiler);
  call.dialect = dialect.value_or(Dialect::Gcc);
  call.isOpen = !dialect && !isTool(filename(call.compiler));
  return !dialect;
}

static bool isLauncher(StringRef word) { return support::isLauncherName(filename(word)); }

/// An executable, by path or on PATH, that is not an input of nvcc (F20).
static bool isProgram(StringRef word, const Environment &env, Files &files) {
  if (word.empty() || word[0] == '-' || word[0] == '@' || hasInputSuffix(word))
    return false;
  if (word.contains('/'))
    return files.executable(word);
  if (files.stat(word).kind == FileStatus::Kind::Regular && !files.executable(word))
    return false;
  return !support::findProgram(word, env, files).empty();
}

/// cuda-cc itself, named again by a build system that uses it as both launcher and compiler. One of
/// a toolchain directory is a compiler: it knows its target (R40).
static bool isOwnName(StringRef word, Files &files) {
  return support::isOurName(filename(word)) && !isInDirectory(word, files);
}

/// Consumes launchers, with ccache's `key=value` settings, and names of cuda-cc up to the compiler.
static size_t takeLaunchers(llvm::ArrayRef<StringRef> words, Files &files, Invocation &call) {
  size_t at = 0;
  while (at < words.size()) {
    if (isOwnName(words[at], files)) {
      ++at;
      continue;
    }
    if (!isLauncher(words[at]))
      break;
    bool settings = filename(words[at]) == "ccache";
    call.launchers.push_back(words[at++].str());
    while (settings && at < words.size() && words[at].contains('=') &&
           !words[at].starts_with("-") && !words[at].contains('/'))
      call.launchers.push_back(words[at++].str());
  }
  return at;
}

/// Takes the argument at \p index as the compiler. Returns true if its name tells no dialect.
static bool startCompiler(size_t index, Invocation &call) {
  call.role = Role::Launcher;
  call.compiler = call.args[index].str();
  call.args = call.args.drop_front(index + 1);
  return setDialect(call);
}

static bool startFront(const Environment &env, Files &files, Invocation &call) {
  llvm::ArrayRef<StringRef> words = call.args;
  size_t next = takeLaunchers(words, files, call);
  bool isLaunched = !call.launchers.empty() && !isOwnName(words[next - 1], files);
  bool hasNext = next < words.size() && !words[next].empty() && !words[next].starts_with("-");
  if (isLaunched && !hasNext) {
    call.launchers.clear();
    startCompiler(llvm::find_if(words, isLauncher) - words.begin(), call);
    call.isOpen = false;
    return true;
  }
  if (isLaunched || (hasNext && (dialectOf(words[next]) || isProgram(words[next], env, files))))
    return startCompiler(next, call);
  call.role = Role::Front;
  call.dialect = Dialect::Nvcc;
  call.args = call.args.drop_front(next);
  return false;
}

/// Determines the role, dialect, launchers and compiler of \p call. On entry `args` has the
/// caller's words without argv[0] and --cudacc- options; on return it has the arguments of the
/// compiler or subcommand. Returns true if the rest of the line must not be parsed: a subcommand, a
/// launcher without a compiler (`ccache -s`), a compiler's companion tool (`clang-format`), or a
/// program of an unknown name (Invocation::isOpen).
static bool decideStart(StringRef argv0, const Environment &env, Files &files, Invocation &call) {
  StringRef self = filename(argv0);
  if (!self.empty() && !support::isOurName(self)) {
    call.role = Role::Masquerade;
    call.compiler = self.str();
    return setDialect(call);
  }
  if (!call.args.empty() && llvm::is_contained(subcommands(), call.args[0])) {
    call.role = Role::Tool;
    call.tool = call.args[0].str();
    call.args = call.args.drop_front();
    return true;
  }
  return startFront(env, files, call);
}

static void addVariable(std::vector<Word> &words, StringRef text, Word::Source source) {
  llvm::SmallVector<StringRef, 16> parts;
  splitVariable(text, parts);
  for (StringRef part : parts)
    words.push_back({part, source, 0});
}

/// The words that the compiler sees, including NVCC_*_FLAGS (R10).
static std::vector<Word> wholeLine(Invocation &call, const Environment &env) {
  StringRef prepend, append;
  if (call.dialect == Dialect::Nvcc) {
    prepend = env.getOr("NVCC_PREPEND_FLAGS");
    append = env.getOr("NVCC_APPEND_FLAGS");
    call.hasVariableFlags = !prepend.empty() || !append.empty();
  }
  std::vector<Word> words;
  words.reserve(call.args.size());
  addVariable(words, prepend, Word::Source::Prepend);
  for (uint32_t i = 0; i != call.args.size(); ++i)
    words.push_back({call.args[i], Word::Source::Argv, i});
  addVariable(words, append, Word::Source::Append);
  return words;
}

/// The command that `trace` runs, or the line that `completion` completes. Its options belong to
/// it, even if the command is cuda-cc.
static llvm::ArrayRef<StringRef> foreign(llvm::ArrayRef<StringRef> words) {
  if (words.empty() || (words.front() != "trace" && words.front() != "completion"))
    return {};
  const auto *end = std::find(words.begin(), words.end(), "--");
  return words.drop_front(end - words.begin());
}

llvm::Expected<Invocation> parse(llvm::ArrayRef<StringRef> argv, const Environment &env,
                                 Files &files) {
  Invocation call;
  StringRef self = argv.empty() ? StringRef() : argv.front();
  llvm::ArrayRef<StringRef> given = argv.drop_front(argv.empty() ? 0 : 1);
  auto args = takeOwnOptions(given, given.size() - foreign(given).size(), call.own, *call.arena);
  if (!args)
    return args.takeError();
  call.args = *args;
  if (decideStart(self, env, files, call))
    return call;
  if (Error error = parseAs(call.dialect, call, env, files))
    return error;
  return call;
}

Error parseAs(Dialect dialect, Invocation &call, const Environment &env, Files &files) {
  call.dialect = dialect;
  call.isOpen = false;
  std::vector<Word> line = wholeLine(call, env);
  Expansion expansion(dialect, files, *call.arena);
  // nvcc passes the @FILE of -Xcompiler on, and rejects others (N4).
  if (dialect != Dialect::Nvcc)
    if (Error error = expansion.expandHost(line))
      return error;
  Scanner scanner(call, files);
  if (Error error = scanner.scan(std::move(line), expansion))
    return error;
  scanner.finish();
  // gcc's own variables for a depfile.
  for (StringRef variable : {"DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES"})
    call.lacksPhonyTargets |= dialect == Dialect::Gcc && !env.getOr(variable).empty();
  return Error::success();
}

bool isInDirectory(StringRef path, Files &files) {
  StringRef folder = llvm::sys::path::parent_path(path);
  return !folder.empty() &&
         files.stat(fmt::format("{}/../{}", folder, ToolchainDirectory::factsName)).exists();
}

bool mayCompile(const Invocation &call) {
  static constexpr StringRef options[] = {"-c", "-o", "-shared", "-x", "-optf", "--options-file"};
  return llvm::any_of(call.args, [](StringRef word) {
    return word.starts_with("@") || llvm::is_contained(options, word) || hasInputSuffix(word);
  });
}

} // namespace cudacc::cli
