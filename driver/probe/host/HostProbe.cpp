// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/host/HostProbe.h"
#include "driver/core/Diagnostic.h"
#include "driver/support/Paths.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::probe {

using namespace core;
using namespace support;
using core::Dialect;

/// Passed as LIBRARY_PATH, to find at which position the compiler inserts it into its search list.
static constexpr llvm::StringLiteral sentinel = "/cuda-cc-library-path";

std::vector<std::string> parseIncludeList(llvm::StringRef answer) {
  std::vector<std::string> dirs;
  llvm::StringRef list = answer.split("#include <...> search starts here:\n").second;
  for (llvm::StringRef line : llvm::split(list, '\n')) {
    if (!line.starts_with(" "))
      break;
    line = line.trim();
    if (line.empty() || line.ends_with(" (framework directory)"))
      continue;
    dirs.push_back(line.str());
  }
  return dirs;
}

std::vector<std::string> parseLinkerDirs(llvm::StringRef answer) {
  std::vector<std::string> dirs;
  for (llvm::StringRef rest = answer.split("SEARCH_DIR(\"").second; !rest.empty();
       rest = rest.split("SEARCH_DIR(\"").second) {
    llvm::StringRef dir = rest.take_until([](char c) { return c == '"'; });
    // "=" is the sysroot, which is empty for a native linker.
    dir.consume_front("=");
    if (!dir.empty())
      dirs.push_back(dir.str());
  }
  return dirs;
}

namespace {
class HostProber {
public:
  HostProber(HostCompiler &compiler, Files &files, Runner &runner)
      : compiler(compiler), files(files), runner(runner) {}
  llvm::Error run();

private:
  llvm::Expected<Runner::Answer> ask(llvm::StringRef program, llvm::ArrayRef<llvm::StringRef> args,
                                     bool withSentinel = false);
  std::string askOut(llvm::StringRef program, llvm::ArrayRef<llvm::StringRef> args,
                     bool withSentinel = false);
  void readIdentity(llvm::StringRef answer);
  void readLibraryDirs();
  std::vector<std::string> existing(llvm::ArrayRef<std::string> dirs);

  HostCompiler &compiler;
  Files &files;
  Runner &runner;
  /// Why a question has no answer. Without it what is known of the compiler is not kept.
  std::optional<Finding> unanswered;
};
} // namespace

llvm::Expected<Runner::Answer>
HostProber::ask(llvm::StringRef program, llvm::ArrayRef<llvm::StringRef> args, bool withSentinel) {
  Command command{program.str(), {program}, {}, {}};
  for (llvm::StringRef arg : args)
    command.argv.add(arg);
  command.unset = {"CPATH",        "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",  "OBJC_INCLUDE_PATH",
                   "LIBRARY_PATH", "LANGUAGE",       "DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES"};
  command.set = {{"LC_ALL", "C"}};
  if (withSentinel) {
    llvm::erase(command.unset, "LIBRARY_PATH");
    command.set.emplace_back("LIBRARY_PATH", sentinel.str());
  }
  auto answer = runner.ask(command);
  // What it printed until then is kept by nobody. The call itself will be killed as well.
  if (answer && answer->ended.signal)
    return makeError(Code::NoCompiler,
                     fmt::format("{} was killed by signal {}", program, answer->ended.signal));
  return answer;
}

std::string HostProber::askOut(llvm::StringRef program, llvm::ArrayRef<llvm::StringRef> args,
                               bool withSentinel) {
  auto answer = ask(program, args, withSentinel);
  if (answer)
    return answer->ended.status == 0 ? std::move(answer->out) : "";
  unanswered = toFinding(answer.takeError());
  return "";
}

std::vector<std::string> HostProber::existing(llvm::ArrayRef<std::string> dirs) {
  std::vector<std::string> result;
  for (const std::string &dir : dirs) {
    std::string path = normalizePath(dir, files);
    if (!llvm::is_contained(result, path) && files.stat(path).kind == FileStatus::Kind::Directory)
      result.push_back(std::move(path));
  }
  return result;
}

static llvm::StringRef firstWord(llvm::StringRef text) {
  return text.take_until([](char c) { return llvm::isSpace(c); });
}

void HostProber::readIdentity(llvm::StringRef answer) {
  llvm::SmallVector<llvm::StringRef, 64> lines;
  answer.split(lines, '\n', -1, false);
  for (llvm::StringRef line : lines) {
    if (line.consume_front("Target: "))
      compiler.machine = firstWord(line).str();
    else if (line.consume_front("gcc version "))
      compiler.family = "gcc", compiler.version = firstWord(line).str();
    else if (size_t at = line.find("clang version "); at != llvm::StringRef::npos && at < 40)
      compiler.family = "clang", compiler.version = firstWord(line.substr(at + 14)).str();
  }
}

void HostProber::readLibraryDirs() {
  std::string answer = askOut(compiler.path, {"-print-search-dirs"}, true);
  llvm::StringRef list = llvm::StringRef(answer).split("libraries: ").second.split('\n').first;
  list.consume_front("=");
  llvm::SmallVector<llvm::StringRef, 32> parts;
  list.split(parts, ':', -1, false);
  std::vector<std::string> before, after;
  bool passed = false;
  for (llvm::StringRef part : parts) {
    if (part.rtrim('/') == sentinel)
      passed = true;
    else if (!part.starts_with(sentinel))
      (passed ? after : before).push_back(part.str());
  }
  // clang does not list LIBRARY_PATH; it searches it after its own directories (clang 14).
  before = existing(before);
  compiler.libraryPathAt = before.size();
  llvm::append_range(before, after);

  std::string linker = llvm::StringRef(askOut(compiler.path, {"-print-prog-name=ld"})).trim().str();
  for (llvm::StringRef folder : {"/usr/bin", "/bin"})
    if (!llvm::StringRef(linker).starts_with("/") && linker == "ld" &&
        files.executable(joinPath(folder, "ld")))
      linker = joinPath(folder, "ld");
  if (llvm::StringRef(linker).starts_with("/") && files.executable(linker))
    llvm::append_range(before, parseLinkerDirs(askOut(linker, {"--verbose"})));
  compiler.libraryDirs = existing(before);
}

llvm::Error HostProber::run() {
  auto cxx = ask(compiler.path, {"-v", "-E", "-x", "c++", "/dev/null"});
  if (!cxx)
    return cxx.takeError();
  readIdentity(cxx->err);
  compiler.cxxIncludes = existing(parseIncludeList(cxx->err));
  if (auto c = ask(compiler.path, {"-v", "-E", "-x", "c", "/dev/null"})) {
    compiler.cIncludes = existing(parseIncludeList(c->err));
    // A C-only installation does not recognise -x c++.
    if (compiler.family.empty())
      readIdentity(c->err);
  } else {
    return c.takeError();
  }
  if (!compiler.family.empty())
    readLibraryDirs();
  return unanswered ? makeError(std::move(*unanswered)) : llvm::Error::success();
}

llvm::Expected<HostCompiler> probeHostCompiler(llvm::StringRef path, Files &files, Runner &runner) {
  HostCompiler compiler;
  compiler.path = path.str();
  FileStatus status = files.stat(path);
  if (status.kind != FileStatus::Kind::Regular)
    return makeError(Code::NoCompiler,
                     fmt::format("the compiler {} was not found", support::quoted(path)));
  compiler.inputs.push_back(std::move(status.id));
  if (llvm::Error error = HostProber(compiler, files, runner).run())
    return error;
  return compiler;
}

namespace {
struct Mark {
  llvm::StringLiteral text;
  Dialect dialect;
};
} // namespace

/// What the answers of compilers contain and those of binutils, coreutils and CUDA's other tools do
/// not. In this order, as a wrapper of nvcc may print its host compiler's version, too.
static constexpr Mark marks[] = {
    {"Cuda compiler driver", Dialect::Nvcc},
    {"clang version ", Dialect::Clang},
    {"Intel(R) oneAPI DPC++/C++ Compiler", Dialect::Clang},
    {"NVIDIA Compilers and Tools", Dialect::Gcc}, // nvc++
    // gcc, g++, gfortran, under any name and with any PKGVERSION.
    {"see the source for copying conditions", Dialect::Gcc},
};

std::optional<Dialect> dialectOfAnswer(llvm::StringRef text) {
  for (const Mark &mark : marks)
    if (text.contains(mark.text))
      return mark.dialect;
  return std::nullopt;
}

} // namespace cudacc::probe
