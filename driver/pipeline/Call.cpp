// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/Call.h"
#include "driver/cli/Cli.h"
#include "driver/config/DirectoryCodec.h"
#include "driver/config/Settings.h"
#include "driver/pipeline/Directory.h"
#include "driver/pipeline/Reporter.h"
#include "driver/plan/command/Link.h"
#include "driver/support/PathSearch.h"
#include "driver/support/ProgramNames.h"
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

std::optional<std::string> shimBehind(System &system, const Invocation &invocation) {
  if (invocation.role != Role::Launcher)
    return std::nullopt;
  std::string path = invocation.compiler;
  bool isName = !llvm::StringRef(path).contains('/');
  if (isName)
    path = support::findProgram(path, system.environment, system.files);
  bool isShim = cli::isInDirectory(path, system.files) &&
                (support::isOurName(llvm::sys::path::filename(path)) || system.selfFile.is(path));
  // A directory's own cuda-cc does the work of its compilers.
  if (!isShim || (isName && system.files.realPath(path) == system.self))
    return std::nullopt;
  return path;
}

llvm::Error startShim(System &system, const std::string &shim, const Invocation &invocation,
                      llvm::ArrayRef<llvm::StringRef> argv) {
  Command command{shim, {shim}, {}, {}};
  for (llvm::StringRef word : argv.drop_front())
    if (word.starts_with("--cudacc-"))
      command.argv.addBorrowed(word);
  for (const std::string &word : invocation.launchers)
    command.argv.add(fmt::format("--cudacc-launcher={}", word));
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

} // namespace cudacc::pipeline
