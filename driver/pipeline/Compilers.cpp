// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/Compilers.h"
#include "driver/pipeline/EnvironmentToolkit.h"
#include "driver/pipeline/Environments.h"
#include "driver/plan/command/Nvcc.h"
#include "driver/plan/toolchain/UserCompiler.h"
#include "driver/probe/toolkit/Locate.h"
#include "driver/probe/toolkit/ToolkitProbe.h"
#include "driver/support/Paths.h"
#include "driver/support/ReadWhole.h"
#include "driver/versions/Format.h"
#include "driver/versions/PlaceRequirement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace cudacc::pipeline {

using namespace core;
using namespace versions;

/// With -v build systems determine the compiler's defaults (R18).
static bool takesLauncher(const Invocation &call) {
  return call.kind == CallKind::Compile && !call.sources.empty() && call.launchers.empty() &&
         !call.verbose;
}

/// The parent's PID in `PID (NAME) STATE PPID ...`; NAME may contain any character.
static llvm::StringRef parentIn(llvm::StringRef stat) {
  return stat.substr(stat.rfind(')') + 1).ltrim().split(' ').second.split(' ').first;
}

/// \p program is this process's parent: it is in front already.
static bool isParent(Files &files, const std::string &program) {
  auto text = llvm::expectedToOptional(support::readStart(files, "/proc/self/stat", 256));
  if (!text)
    return false;
  FileStatus parent = files.stat(fmt::format("/proc/{}/exe", parentIn(*text)));
  FileStatus own = files.stat(program);
  return parent.exists() && parent.id.device == own.id.device && parent.id.inode == own.id.inode;
}

/// Path of the declared launcher's program; empty if \p call gets none. Only compiles get one, as
/// caches and compile farms do nothing for links (R26 d). None is added where the command line has
/// one, or where the launcher started this process and would wait for itself. Errors: NoCompiler.
static llvm::Expected<std::string> findLauncher(System &system, const Invocation &call,
                                                const Declaration &declaration) {
  if (declaration.launcher.empty() || !takesLauncher(call))
    return "";
  const Setting<std::string> &first = declaration.launcher.front();
  std::string program = support::expandHome(first.value, system.environment.getOr("HOME"));
  auto found = probe::locateCompiler(program, system.environment, system.files, system.selfFile);
  if (found)
    return isParent(system.files, found->path) ? "" : found->path;
  Finding finding = toFinding(found.takeError());
  llvm::StringRef rest = finding.message;
  if (rest.consume_front("the compiler"))
    finding.message = fmt::format("the launcher{}", rest);
  bool inFile = first.origin.kind == Origin::Kind::File;
  finding.facts.push_back(
      {"setting", fmt::format("{}{}", inFile ? "launcher in " : "", first.origin)});
  bool isOption = first.origin.kind == Origin::Kind::Option;
  finding.fixes = {"install it, or give its path",
                   fmt::format("{}=none compiles without it",
                               isOption ? first.origin.name : "CUDA_CC_LAUNCHER")};
  return makeError(std::move(finding));
}

/// Puts \p program and the declared launcher's own arguments at the start of \p command.
static void launch(const std::string &program, const Declaration &declaration, Command &command) {
  command.program = program;
  command.argv.add(program);
  for (const Setting<std::string> &word : llvm::ArrayRef(declaration.launcher).drop_front())
    command.argv.add(word.value);
}

/// Puts the launchers that the caller wrote at the start of \p command; `NAME=VALUE` arguments
/// (settings of ccache) stay unchanged. Errors: NoCompiler.
static llvm::Error launch(System &system, const Invocation &call, Command &command) {
  for (const std::string &word : call.launchers) {
    bool first = command.argv.empty();
    if (!first && llvm::StringRef(word).contains('=')) {
      command.argv.add(word);
      continue;
    }
    auto found = probe::locateCompiler(word, system.environment, system.files, system.selfFile);
    if (!found)
      return found.takeError();
    if (first)
      command.program = found->path;
    command.argv.add(first ? word : found->path);
  }
  return llvm::Error::success();
}

/// nvcc derives its root from argv[0] without following links, so argv[0] must lie beside an
/// nvcc.profile if the path or its link target does (R4). A script finds the real nvcc itself.
static std::string nvccPath(Files &files, const std::string &found) {
  auto beside = [&](llvm::StringRef path) {
    return files.stat(fmt::format("{}/nvcc.profile", llvm::sys::path::parent_path(path))).exists();
  };
  if (beside(found))
    return found;
  auto real = files.realPath(found);
  return real && beside(*real) ? *real : found;
}

/// The declaration names an environment: `env:PATH`, or the active one.
static bool namesEnvironment(const Declaration &declaration) {
  return llvm::any_of(declaration.runtime, [](const Setting<std::string> &each) {
    auto place = PlaceRequirement::parse(each.value);
    return place && place->kind == PlaceRequirement::Kind::Environment;
  });
}

llvm::Expected<probe::Located> findDeclaredNvcc(System &system, const Declaration &declaration) {
  bool isAuto = declaration.toolkit.value.empty() || declaration.toolkit.value == "auto";
  if (declaration.toolkit.value == "env" || (isAuto && namesEnvironment(declaration))) {
    auto found = pipeline::locateEnvironmentNvcc(declaration, system.environment, system.files,
                                                 system.selfFile);
    // The environment may be for another machine, with an nvcc that only runs there.
    uint16_t machine = found ? elfMachineOf(system.files, found->path) : 0;
    bool runs = !machine || machine == ownMachine().elf;
    if (!isAuto || (found && runs))
      return found;
    if (!found)
      llvm::consumeError(found.takeError());
  }
  auto found =
      probe::locateNvcc(declaration.toolkit, system.environment, system.files, system.selfFile);
  if (found)
    found->path = nvccPath(system.files, found->path);
  return found;
}

llvm::Expected<Toolkit> readToolkit(System &system, cache::Store &store, const std::string &nvcc,
                                    llvm::StringRef foundBy, const std::string &driver) {
  auto toolkit = store.toolkit(
      nvcc, [&] { return probe::probeToolkit(nvcc, foundBy, system.files, {driver, {}}); });
  if (toolkit)
    toolkit->foundBy = foundBy.str();
  return toolkit;
}

static llvm::Expected<std::string> find(System &system, llvm::StringRef name) {
  auto found = probe::locateCompiler(name, system.environment, system.files, system.selfFile);
  if (!found)
    return found.takeError();
  return found->path;
}

static llvm::Expected<probe::Located> findNvcc(System &system, const Invocation &call,
                                               const Declaration &declaration) {
  std::string cache;
  if (call.role == Role::Launcher && llvm::StringRef(call.compiler).contains('/')) {
    cache = probe::cacheBehind(call.compiler, system.files);
    if (cache.empty())
      return probe::locateCompiler(call.compiler, system.environment, system.files,
                                   system.selfFile);
  }
  if (declaration.toolkit.value == "env")
    return pipeline::locateEnvironmentNvcc(declaration, system.environment, system.files,
                                           system.selfFile);
  auto found =
      probe::locateNvcc(declaration.toolkit, system.environment, system.files, system.selfFile);
  if (found && !cache.empty())
    found->launcher = std::move(cache);
  return found;
}

/// argv[0] of a host compiler: as the caller typed it, because its messages begin with it. A name
/// that resolves to cuda-cc is replaced by the real path, from which gcc derives its own
/// directories.
static std::string hostName(const Invocation &call, bool launched, const std::string &path) {
  return call.role == Role::Launcher && !launched ? call.compiler : path;
}

/// Takes the nvcc recorded in the toolchain directory that the program was called in; returns
/// argv[0] for it.
static std::string startRecorded(const ToolchainDirectory &directory, const Invocation &call,
                                 bool launched, ResolvedCompiler &started) {
  started.driver = directory.driver;
  started.compiler = directory.driver.empty() ? directory.nvcc : directory.path + "/bin/nvcc";
  started.foundBy = directory.driver.empty() ? "recorded in the toolchain directory"
                                             : "in place of " + directory.nvcc;
  if (!launched || directory.driver.empty())
    return started.compiler;
  // A launcher starts the nvcc by this path, from which nvcc derives its root.
  if (call.kind == CallKind::Compile)
    return fmt::format("{}/{}", directory.path, ToolchainDirectory::launchedNvcc);
  started.judgesItself = true;
  return started.compiler;
}

llvm::Expected<ResolvedCompiler> findCompiler(System &system, const Invocation &call,
                                              const Declaration &declaration,
                                              const ToolchainDirectory *directory) {
  ResolvedCompiler started;
  auto launcher = findLauncher(system, call, declaration);
  if (!launcher)
    return launcher.takeError();
  bool launched = !launcher->empty() || !call.launchers.empty();
  llvm::StringRef base = llvm::sys::path::filename(call.compiler);
  // `bin/cuda-cc g++` of a named directory also means the directory's own compilers.
  bool own = directory && (call.role != Role::Launcher ||
                           (!directory->anonymous && base == llvm::StringRef(call.compiler)));
  const std::string *baked = own ? directory->compiler(base) : nullptr;
  std::string argv0, linked;
  if (baked) {
    started.compiler = argv0 = *baked;
    started.foundBy = "recorded in the toolchain directory";
  } else if (call.dialect == Dialect::Nvcc) {
    if (own && !directory->nvcc.empty()) {
      argv0 = startRecorded(*directory, call, launched, started);
    } else {
      auto found = findNvcc(system, call, declaration);
      if (!found)
        return found.takeError();
      started.compiler = argv0 = nvccPath(system.files, found->path);
      started.foundBy = found->foundBy;
      if (!found->launcher.empty() && declaration.launcher.empty() && takesLauncher(call) &&
          !isParent(system.files, found->launcher))
        linked = std::move(found->launcher);
    }
    started.command.unset = plan::leakedByNvcc(system.environment.entries);
  } else {
    auto found = find(system, call.compiler);
    if (!found)
      return found.takeError();
    started.compiler = *found;
    started.foundBy = "named on the command line";
    argv0 = hostName(call, launched, started.compiler);
  }
  // A path is started as it was written, as a script sees it as its own name.
  bool written = !baked && call.role == Role::Launcher && call.dialect != Dialect::Nvcc &&
                 llvm::StringRef(call.compiler).contains('/');
  started.command.program = written                  ? call.compiler
                            : started.driver.empty() ? started.compiler
                                                     : started.driver;
  if (!launcher->empty())
    launch(*launcher, declaration, started.command);
  else if (!linked.empty())
    started.command.argv.add(started.command.program = linked);
  else if (llvm::Error error = launch(system, call, started.command))
    return error;
  started.command.argv.add(argv0);
  return started;
}

/// nvcc links with g++ if it compiles with gcc, and with clang++ beside clang; a compiler of any
/// other name does both (observed with 13.0).
llvm::StringRef partner(llvm::StringRef name) {
  if (name == "gcc")
    return "g++";
  if (name == "clang")
    return "clang++";
  if (name == "g++")
    return "gcc";
  return "";
}

const Machine &machineOf(const Invocation &call, const Declaration &declaration,
                         const ToolchainDirectory *directory) {
  if (const Machine *other = directory ? machineNamed(directory->machine) : nullptr)
    return *other;
  llvm::StringRef name = call.compiler;
  if (call.dialect == Dialect::Nvcc)
    name = call.ccbin ? *call.ccbin : llvm::StringRef(declaration.hostCompiler.value);
  const Machine *named = machineOfTriple(llvm::sys::path::filename(name));
  if (call.dialect == Dialect::Clang)
    for (const Word &word : call.words)
      if (llvm::StringRef triple = word.text; triple.consume_front("--target="))
        named = machineOfTriple(triple);
  return named ? *named : ownMachine();
}

std::string otherLanguage(llvm::StringRef name) {
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> pairs[] = {
      {"clang++", "clang"}, {"g++", "gcc"}, {"c++", "cc"}};
  llvm::StringRef stem = name.rtrim("0123456789."), version;
  if (stem.consume_back("-"))
    version = name.drop_front(stem.size());
  else
    stem = name;
  auto replaced = [&](llvm::StringRef from, llvm::StringRef to) -> std::string {
    llvm::StringRef front = stem;
    bool ends = front.consume_back(from) && (front.empty() || front.ends_with("-"));
    return ends ? (front + to + version).str() : "";
  };
  for (const auto &[cxx, c] : pairs)
    for (std::string found : {replaced(cxx, c), replaced(c, cxx)})
      if (!found.empty())
        return found;
  return "";
}

/// A compiler that nvcc starts by name lies in a directory that nvcc puts in front of PATH, or on
/// PATH.
static llvm::Expected<std::string> findForNvcc(System &system, llvm::StringRef name,
                                               const Toolkit *toolkit) {
  if (toolkit && !name.contains('/'))
    for (const std::string &folder : toolkit->pathDirs)
      if (std::string path = fmt::format("{}/{}", folder, name);
          system.files.executable(path) && !system.selfFile.is(path))
        return path;
  return find(system, name);
}

/// The compiler recorded for a name, or for the path of a shim, in a named directory; null if none.
static const std::string *recorded(const ToolchainDirectory *directory, llvm::StringRef where) {
  if (!directory || directory->anonymous)
    return nullptr;
  llvm::StringRef folder = llvm::sys::path::parent_path(where);
  if (!folder.empty() && folder != directory->path + "/bin")
    return nullptr;
  return directory->compiler(llvm::sys::path::filename(where));
}

NvccHost findNvccHost(System &system, const Invocation &call, const Declaration &declaration,
                      const Toolkit *toolkit, const ToolchainDirectory *directory, bool every) {
  NvccHost host;
  std::string meant;
  if (call.ccbin)
    meant = call.ccbin->str();
  else if (!declaration.hostCompiler.value.empty())
    meant = declaration.hostCompiler.value;
  else
    meant = system.environment.getOr("NVCC_CCBIN").str();
  // A front of a toolchain directory stands for a compiler of that directory, or of PATH. One of
  // several words is its own shim.
  if (const plan::UserCompiler *user = plan::UserCompiler::find(meant);
      user && system.selfFile.is(meant)) {
    std::vector<std::string> words = user->words(system.environment, system.files);
    meant = user->compiler(words);
    if (words.size() > 1) {
      host.name = user->name.str();
      host.compiler = llvm::expectedToOptional(findForNvcc(system, meant, toolkit)).value_or("");
      host.names.emplace_back(host.name, host.compiler);
      return host;
    }
  }
  auto add = [&](llvm::StringRef name, llvm::StringRef inDirectory) {
    std::string where = inDirectory.empty() ? name.str() : fmt::format("{}/{}", inDirectory, name);
    if (const std::string *real = recorded(directory, where)) {
      host.names.emplace_back(name.str(), *real);
      return true;
    }
    auto found = findForNvcc(system, where, toolkit);
    if (found)
      host.names.emplace_back(name.str(), *found);
    else
      llvm::consumeError(found.takeError());
    return bool(found);
  };
  bool isDirectory = !meant.empty() && system.files.stat(meant).kind == FileStatus::Kind::Directory;
  if (meant.empty() || isDirectory) {
    add("gcc", meant);
    if (every)
      add("g++", meant);
  } else {
    llvm::StringRef folder = llvm::sys::path::parent_path(meant);
    host.name = llvm::sys::path::filename(meant).str();
    if (add(host.name, folder) && every)
      if (llvm::StringRef other = partner(host.name); !other.empty())
        add(other, folder.empty() ? llvm::sys::path::parent_path(host.names[0].second) : folder);
  }
  if (!host.names.empty())
    host.compiler = host.names.front().second;
  return host;
}

} // namespace cudacc::pipeline
