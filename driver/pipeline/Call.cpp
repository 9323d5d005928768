// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/Call.h"
#include "driver/cache/CommandInputs.h"
#include "driver/cache/Store.h"
#include "driver/cli/Cli.h"
#include "driver/config/DirectoryCodec.h"
#include "driver/config/Settings.h"
#include "driver/pipeline/Compilers.h"
#include "driver/pipeline/Directory.h"
#include "driver/pipeline/Reporter.h"
#include "driver/plan/command/Link.h"
#include "driver/probe/host/HostProbe.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace cudacc::pipeline {

using namespace core;

llvm::Expected<Stage> readStage(const Invocation &invocation, const Environment &environment) {
  llvm::StringRef word = invocation.own.print ? llvm::StringRef(*invocation.own.print)
                                              : environment.getOr("CUDA_CC_PRINT");
  if (auto stage = cli::stageOf(word))
    return *stage;
  return makeError(Code::BadValue, "CUDA_CC_PRINT is not a stage",
                   {{"CUDA_CC_PRINT", word.str()}, {"allowed", cli::stageNames(", ")}});
}

llvm::Expected<CallDirectory> findDirectory(System &system) {
  CallDirectory place;
  llvm::StringRef bin = llvm::sys::path::parent_path(system.self);
  if (llvm::sys::path::filename(bin) != "bin")
    return place;
  FileStatus status;
  auto found = directoryAt(system.files, llvm::sys::path::parent_path(bin), &status);
  if (!found)
    return found.takeError();
  place.directory = std::move(*found);
  // A directory in cuda-cc's store is started only by the call that found or created it.
  if (place.directory && !place.directory->anonymous)
    place.refused = refuseDirectory(system, *place.directory, status);
  return place;
}

llvm::Error admit(std::optional<ToolchainDirectory> &directory, std::optional<Finding> refused,
                  bool goesOn) {
  if (!refused)
    return llvm::Error::success();
  if (!goesOn)
    return makeError(std::move(*refused));
  directory.reset();
  return llvm::Error::success();
}

bool standsBeforeShim(System &system, const Invocation &invocation) {
  llvm::StringRef path = invocation.compiler;
  if (invocation.role != Role::Launcher || !invocation.launchers.empty() || !path.contains('/') ||
      !system.selfFile.is(path))
    return false;
  llvm::StringRef root = llvm::sys::path::parent_path(llvm::sys::path::parent_path(path));
  return system.files.stat(fmt::format("{}/{}", root, ToolchainDirectory::factsName)).exists();
}

llvm::Error startShim(System &system, const Invocation &invocation,
                      llvm::ArrayRef<llvm::StringRef> argv) {
  Command command{invocation.compiler, {invocation.compiler}, {}, {}};
  for (llvm::StringRef word : argv.drop_front())
    if (word.starts_with("--cudacc-"))
      command.argv.addBorrowed(word);
  for (llvm::StringRef word : invocation.args)
    command.argv.addBorrowed(word);
  return system.runner.exec(command);
}

bool isDisabled(const System &system, const Call &call) {
  return system.environment.isOn("CUDA_CC_DISABLE") && !call.declaration.require.value &&
         call.invocation.own[Key::Require].empty() &&
         !system.environment.isOn("CUDA_CC_REQUIRE_RUNTIME");
}

bool isUnjudged(const System &system, const Call &call) {
  const Invocation &invocation = call.invocation;
  // What the call does may be in a file that is not read.
  if (invocation.unread)
    return false;
  if (invocation.kind == CallKind::Probe || invocation.kind == CallKind::Run)
    return true;
  bool isShim = call.directory && !call.isNvcc();
  // Host compiles of nvcc: the cuda-cc in front of nvcc has checked the call, and the record header
  // is on this command line (R36).
  if (isShim && !call.isLink() && system.environment.get("_HERE_"))
    return true;
  return call.isLink() && plan::carriesNote(invocation);
}

llvm::Expected<Declaration> readSettings(System &system, const Call &call,
                                         config::SearchNotes &searched) {
  bool unseen = call.directory && call.directory->anonymous;
  const Declaration *baked = call.directory && !unseen ? &call.directory->declaration : nullptr;
  std::string from;
  // CMake keeps the shim of a directory in the store in its cache. The shim reads the declaration
  // file again, so that the next link follows what the file says then (F17).
  if (unseen)
    from = call.directory->declarationFile.empty()
               ? "/"
               : llvm::sys::path::parent_path(call.directory->declarationFile).str();
  OwnOptions own = call.invocation.own;
  if (call.nested.manifest && own[Key::Manifest].empty())
    own[Key::Manifest].push_back(*call.nested.manifest);
  bool failedBefore = !system.files.failure().empty();
  auto read = config::readDeclaration(own, system.environment, system.files, baked, system.uid,
                                      from, &searched);
  if (!read)
    return read.takeError();
  // What the search for declarations has gone past might be one.
  if (!failedBefore)
    if (llvm::Error error = failedSearch(system))
      return error;
  Declaration declaration =
      unseen ? config::applyOver(*call.directory, std::move(*read)) : std::move(*read);
  if (llvm::Error error = config::checkTogether(declaration))
    return error;
  return declaration;
}

void addOwnHeaders(const System &system, Call &call) {
  Invocation &invocation = call.invocation;
  llvm::StringRef name = llvm::sys::path::filename(invocation.compiler);
  bool isOwn =
      call.isNamed() && !call.isNvcc() && call.directory->compiler(name) &&
      (invocation.role == Role::Masquerade || name == llvm::StringRef(invocation.compiler));
  // CMake runs the compiler with -v to determine its implicit include directories and then omits
  // these from every command line, where they would have come first (R18). Below nvcc they are on
  // the command line already.
  if (!isOwn || invocation.sources.empty() || invocation.nostdinc || invocation.verbose ||
      invocation.kind == CallKind::Probe || system.environment.get("_HERE_"))
    return;
  call.ownHeaders = call.directory->path + "/include";
  ArgList &argv = call.compiler.command.argv;
  // A directory that is named twice counts at its first place: the caller's stay in front.
  for (const IncludeDir &dir : invocation.includes)
    if (dir.kind == IncludeDir::Kind::After) {
      argv.add("-idirafter");
      argv.add(dir.path.str());
    }
  argv.add("-idirafter");
  argv.add(call.ownHeaders);
  invocation.includes.push_back({call.ownHeaders, IncludeDir::Kind::After});
}

/// CMake determines once, by `nvcc -v CMakeCUDACompilerId.cu`, which program nvcc links with, and
/// from then on links with that program itself, also if a runtime is declared later.
static bool asksForLinkDriver(const Invocation &invocation) {
  return invocation.dialect == Dialect::Nvcc && invocation.verbose &&
         llvm::any_of(invocation.sources, [](llvm::StringRef source) {
           return llvm::sys::path::filename(source) == "CMakeCUDACompilerId.cu";
         });
}

bool linksByRuntime(const Call &call) {
  CallKind kind = call.invocation.kind;
  return call.isNvcc() && (kind == CallKind::Link || kind == CallKind::DeviceLink) &&
         call.declaration.deviceLinker.value == DeviceLinker::Runtime;
}

bool hasWork(const Call &call) {
  bool always = call.declaration.manifest.value == ManifestMode::Always;
  bool ownLibraries = call.isNamed() && !call.isNvcc();
  return call.declaration.declared() || linksByRuntime(call) ||
         (call.isLink() && (always || ownLibraries || asksForLinkDriver(call.invocation)));
}

Command plainCommand(const Call &call) {
  Command command = call.compiler.command;
  for (llvm::StringRef arg : call.invocation.args)
    command.argv.addBorrowed(arg);
  return command;
}

/// Longer answers are no version.
static constexpr uint64_t longestAnswer = uint64_t(1) << 16;
static constexpr unsigned longestSeconds = 10;

/// What \p program answers to --version; std::nullopt if it fails. Error: it cannot be asked.
static llvm::Expected<std::optional<std::string>> ask(System &system, const std::string &program,
                                                      Accesses &accesses) {
  Command command{program, {program, "--version"}, {}, {}};
  command.set.emplace_back("LC_ALL", "C");
  command.mostSeconds = longestSeconds;
  command.outputLimit = longestAnswer;
  auto answer = system.runner.observe(command, accesses);
  if (!answer)
    return answer.takeError();
  if (!answer->ended.ok())
    return std::nullopt;
  return std::move(answer->out);
}

/// The nvcc behind a wrapper: the last one that was started. Empty if none was, or if what is
/// started is not observed.
static std::string startedNvcc(System &system, const Accesses &accesses) {
  std::string nvcc;
  for (const Accesses::File &file : accesses.files)
    if (file.isStarted && llvm::sys::path::filename(file.path) == "nvcc" &&
        !system.selfFile.is(file.path))
      nvcc = file.path;
  return nvcc;
}

/// The path of the nvcc behind the program, a line break, and the answer, from the store if nothing
/// changed that decided about them.
static llvm::Expected<std::optional<std::string>> keptOrAsked(System &system,
                                                              const std::string &program) {
  cache::Store store(system.environment, system.files, system.uid);
  cache::CurrentFiles current(system.files, system.environment);
  if (auto text = store.answer(program))
    if (auto kept = cache::answerIn(*text, program, current))
      return std::move(*kept);
  Accesses accesses;
  int64_t started = cache::currentTime();
  auto answer = ask(system, program, accesses);
  if (!answer || !*answer)
    return answer;
  std::string text = fmt::format("{}\n{}", startedNvcc(system, accesses), **answer);
  if (auto inputs = cache::inputsOf(system.files, system.environment, accesses,
                                    {started, current.allVariables()}))
    store.keepAnswer(program, cache::answerText({program, text, std::move(*inputs)}));
  return text;
}

/// Whether the settings of \p call do anything.
static bool isLookedAt(const Declaration &declaration) {
  if (declaration.declared())
    return declaration.enforce.value != Enforce::Off;
  return declaration.require.value || declaration.manifest.value == ManifestMode::Always;
}

llvm::Error recognise(System &system, const CallDirectory &place, Call &call) {
  Invocation &invocation = call.invocation;
  if (!invocation.isOpen || !cli::mayCompile(invocation) || isDisabled(system, call))
    return llvm::Error::success();
  if (place.refused)
    return makeError(*place.refused);
  call.directory = place.directory;
  config::SearchNotes searched;
  auto declaration = readSettings(system, call, searched);
  if (!declaration)
    return declaration.takeError();
  call.declaration = std::move(*declaration);
  if (!isLookedAt(call.declaration))
    return llvm::Error::success();
  auto found = findCompiler(system, invocation, call.declaration, call.in());
  if (!found)
    return found.takeError();
  const std::string &program = found->compiler;
  auto answer = keptOrAsked(system, program);
  if (!answer)
    return answer.takeError();
  if (!*answer)
    return llvm::Error::success();
  auto [nvcc, text] = llvm::StringRef(**answer).split('\n');
  auto dialect = probe::dialectOfAnswer(text);
  if (!dialect)
    return llvm::Error::success();
  if (*dialect == Dialect::Nvcc && nvcc != program)
    call.nvccBehind = nvcc.str();
  return cli::parseAs(*dialect, invocation, system.environment, system.files);
}

std::optional<Finding> notRecognised(const Call &call) {
  if (!call.invocation.isOpen || !isLookedAt(call.declaration))
    return std::nullopt;
  Finding finding = makeFinding(Code::UnknownCompiler, fmt::format("{} is not known as a compiler",
                                                                   call.invocation.compiler));
  finding.addFact("so", "it runs as it is, and nothing is checked");
  finding.addFact("because", "it does not answer --version as nvcc, gcc or clang do");
  return finding;
}

} // namespace cudacc::pipeline
