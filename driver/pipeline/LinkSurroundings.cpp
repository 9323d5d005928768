// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/LinkSurroundings.h"
#include "driver/pipeline/Declared.h"
#include "driver/pipeline/Environments.h"
#include "driver/plan/command/Coupled.h"
#include "driver/plan/command/Link.h"
#include "driver/plan/toolchain/Toolchain.h"
#include "driver/plan/toolchain/ToolkitTree.h"
#include "driver/probe/host/Libraries.h"
#include "driver/process/LibraryOutline.h"
#include "driver/versions/Format.h"
#include "driver/versions/Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace cudacc::pipeline {

using namespace core;
using namespace versions;

plan::RuntimeUse runtimeUse(const Call &call, const Target &target,
                            llvm::ArrayRef<LinkedLibrary> libraries) {
  plan::RuntimeUse use;
  for (const LinkedLibrary &library : libraries)
    if (const TargetLibrary *row = target.find(library.soname); row && !library.isArchive)
      use.rows.push_back(row);
  use.framework = llvm::any_of(call.invocation.linkInputs, probe::namesTorch);
  return use;
}

static uint16_t machineOfLink(const Invocation &call, const HostCompiler *host) {
  llvm::StringRef name = host ? llvm::StringRef(host->machine) : "";
  for (uint32_t i = 0; i < call.words.size(); ++i) {
    llvm::StringRef word = call.words[i].text;
    if (word == "-m32" || word == "-mx32" || word == "-m16")
      return 0;
    if (word.consume_front("--target="))
      name = word;
    else if (word == "-target" && i + 1 < call.words.size())
      name = call.words[i + 1].text;
  }
  if (name.empty())
    return ownMachine().elf;
  const Machine *known = machineOfTriple(name);
  return known ? known->elf : 0;
}

/// The toolkit that nvcc itself would search; std::nullopt for a named directory, which holds all
/// of it.
static std::optional<Toolkit> toolkitBehind(System &system, cache::Store &store,
                                            const ToolchainDirectory *directory) {
  if (!directory || directory->nvcc.empty() || !directory->anonymous)
    return std::nullopt;
  return llvm::expectedToOptional(
      readToolkit(system, store, directory->nvcc, "the toolchain directory"));
}

/// ld reads a script with INSERT in addition to its default script, any other instead of it. A
/// script that cannot be read may be either, and counts as a replacement.
static bool isAddition(Files &files, llvm::StringRef script) {
  constexpr uint64_t largestScript = 1 << 20;
  // Opening a FIFO could lose what its writer has for the linker.
  if (files.stat(script).kind != FileStatus::Kind::Regular)
    return false;
  auto text = llvm::expectedToOptional(files.read(script, largestScript));
  return text && llvm::StringRef(*text).contains("INSERT");
}

/// The file of a coupled library: beside the library that needs it, or in its own folder of the
/// same site-packages. Empty if there is none.
static std::string fileOf(Files &files, const Target &target, const TargetLibrary &wanted,
                          const LinkedLibrary &beside) {
  if (!wanted.path.empty())
    return wanted.path;
  llvm::StringRef folder = llvm::sys::path::parent_path(beside.path);
  std::string same = fmt::format("{}/{}", folder, wanted.soname);
  if (files.stat(same).kind == FileStatus::Kind::Regular)
    return same;
  const TargetLibrary *row = target.find(beside.soname);
  if (row && !row->folder.empty() && folder.consume_back(row->folder)) {
    std::string other = fmt::format("{}{}/{}", folder, wanted.folder, wanted.soname);
    if (files.stat(other).kind == FileStatus::Kind::Regular)
      return other;
  }
  return "";
}

static void addCoupled(Files &files, const Target &target, LinkSurroundings &link) {
  for (const LinkedLibrary &library : link.libraries) {
    const TargetLibrary *row = target.find(library.soname);
    if (!row || library.isArchive)
      continue;
    for (const TargetLibrary *coupled : plan::coupledTo(target, *row)) {
      std::string path = fileOf(files, target, *coupled, library);
      auto known = llvm::find_if(link.coupled, [&](const plan::CoupledLibrary &each) {
        return each.soname == coupled->soname && each.path == path;
      });
      if (known != link.coupled.end())
        known->serves.push_back(library.soname);
      else
        link.coupled.push_back({coupled->soname, std::move(path), {library.soname}});
    }
  }
}

/// The library directories of a named directory; where no driver is installed also that of its
/// stub, which lies outside every search path.
static std::vector<std::string> foldersOf(Files &files, const ToolchainDirectory *directory,
                                          const HostCompiler *host) {
  if (!directory || directory->anonymous)
    return {};
  std::vector<std::string> folders = {directory->path + "/lib64"};
  auto hasDriver = [&](const std::string &folder) {
    return files.stat(folder + "/libcuda.so.1").exists();
  };
  std::string stub = fmt::format("{}/{}", directory->path, plan::neededDriver);
  if ((!host || llvm::none_of(host->libraryDirs, hasDriver)) && files.stat(stub).exists())
    folders.push_back(llvm::sys::path::parent_path(stub).str());
  return folders;
}

/// Adds the libraries of NVIDIA and of torch on the command line. Errors: the facts file cannot be
/// read.
static llvm::Error addLibraries(System &system, cache::Store &store, const Call &call,
                                const Target &target, const ToolchainDirectory *directory,
                                const HostCompiler *host, LinkSurroundings &link) {
  auto more = readUserTables(system, call.declaration);
  if (!more)
    return more.takeError();
  std::optional<Toolkit> toolkit = toolkitBehind(system, store, directory);
  std::vector<std::string> own;
  if (directory && !directory->anonymous)
    own = {directory->path + "/lib64", directory->path + "/lib64/stubs"};
  auto names = [&](llvm::StringRef path) { return process::libraryNames(system.files, path); };
  auto suffix = [&](llvm::StringRef path) { return process::newestNvJitLink(system.files, path); };
  auto fits = [&](llvm::StringRef path) {
    uint16_t found = link.machine ? elfMachineOf(system.files, path) : 0;
    return !found || found == link.machine;
  };
  probe::LibraryReader reader{names, suffix, fits, own, *more ? &**more : nullptr};
  const Toolkit *behind = toolkit ? &*toolkit : nullptr;
  link.libraries =
      probe::findLibraries(call.invocation, behind, host, system.environment, system.files, reader);
  if (!target.torchReleases.empty())
    link.torchLibraries = probe::findTorchLibraries(call.invocation, behind, host,
                                                    system.environment, system.files, reader);
  return llvm::Error::success();
}

LinkSurroundings findSurroundings(System &system, cache::Store &store, const Call &call,
                                  const Target &target, const ToolchainDirectory *directory,
                                  const HostCompiler *host) {
  const Invocation &invocation = call.invocation;
  LinkSurroundings link;
  link.machine = machineOfLink(invocation, host);
  if (llvm::Error error = addLibraries(system, store, call, target, directory, host, link)) {
    link.problem = toFinding(std::move(error));
    return link;
  }
  bool ordinary =
      !invocation.freestanding && llvm::all_of(invocation.linkerScripts, [&](llvm::StringRef each) {
        return isAddition(system.files, each);
      });
  link.isOrdinary =
      ordinary || !link.libraries.empty() || runtimeUse(call, target, link.libraries).framework;
  if (target.declared)
    addCoupled(system.files, target, link);
  if (!invocation.shared)
    link.folders = foldersOf(system.files, directory, host);
  link.output = fmt::format("{}/{}", system.files.workingDirectory(), plan::outputOf(invocation));
  return link;
}

} // namespace cudacc::pipeline
