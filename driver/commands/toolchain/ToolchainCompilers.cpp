// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/toolchain/ToolchainCompilers.h"
#include "driver/pipeline/Compilers.h"
#include "driver/pipeline/Environments.h"
#include "driver/probe/host/HostProbe.h"
#include "driver/probe/toolkit/Locate.h"
#include "driver/support/Paths.h"
#include "driver/support/ReadWhole.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;

const Machine &machineOf(const ToolchainDirectory &directory) {
  const Machine *other = machineNamed(directory.machine);
  return other ? *other : ownMachine();
}

static bool isScript(Files &files, const std::string &path) {
  auto start = llvm::expectedToOptional(support::readStart(files, path, 2));
  return !start || *start == "#!";
}

llvm::Expected<std::optional<Toolkit>> resolveNvcc(pipeline::System &system, cache::Store &store,
                                                   ToolchainDirectory &directory) {
  llvm::StringRef asked = directory.declaration.toolkit.value;
  auto found = pipeline::findDeclaredNvcc(system, directory.declaration);
  if (!found) {
    if (!asked.empty() && asked != "auto")
      return found.takeError();
    llvm::consumeError(found.takeError());
    return std::nullopt;
  }
  uint16_t machine = pipeline::elfMachineOf(system.files, found->path);
  if (machine && machine != ownMachine().elf)
    return makeError(
        Code::NoToolkit,
        fmt::format("nvcc is for {} and cannot run here", describeMachine(machine)),
        {{"nvcc", fmt::format("{} ({})", found->path, found->foundBy)}},
        {fmt::format("name a toolkit for {}: it compiles for any machine, with --host-compiler",
                     ownMachine().name)});
  auto toolkit = pipeline::readToolkit(system, store, found->path, found->foundBy);
  if (!toolkit)
    return toolkit.takeError();
  directory.nvcc = toolkit->nvcc;
  if (!isScript(system.files, toolkit->driver))
    directory.driver = toolkit->driver;
  return std::move(*toolkit);
}

std::optional<HostCompiler> askHost(pipeline::System &system, cache::Store &store,
                                    const ToolchainDirectory &directory) {
  if (directory.compilers.empty())
    return std::nullopt;
  const std::string &path = directory.compilers.front().second;
  return llvm::expectedToOptional(store.hostCompiler(
      path, [&] { return probe::probeHostCompiler(path, system.files, system.runner); }));
}

/// The machine that the host compiler compiles for; empty if it is this one.
static std::string otherMachineOf(pipeline::System &system, cache::Store &store,
                                  const ToolchainDirectory &directory) {
  auto host = askHost(system, store, directory);
  const Machine *machine = host ? machineOfTriple(host->machine) : nullptr;
  return machine && machine->elf != ownMachine().elf ? machine->name.str() : "";
}

/// Adds the compiler of the other language (C or C++) that lies beside a cross compiler.
static void addOtherLanguage(pipeline::System &system, ToolchainDirectory &directory) {
  auto [name, path] = directory.compilers.front();
  std::string other = pipeline::otherLanguage(name);
  std::string beside = support::joinPath(support::parentOf(path), other);
  if (!other.empty() && !directory.compiler(other) && system.files.executable(beside))
    directory.compilers.emplace_back(std::move(other), std::move(beside));
}

llvm::Error resolveCompilers(pipeline::System &system, cache::Store &store, const Toolkit *toolkit,
                             ToolchainDirectory &directory) {
  Setting<std::string> &declared = directory.declaration.hostCompiler;
  Invocation none;
  pipeline::NvccHost host =
      pipeline::findNvccHost(system, none, directory.declaration, toolkit, nullptr,
                             /*every=*/true);
  if (!declared.value.empty()) {
    auto found =
        probe::locateCompiler(declared.value, system.environment, system.files, system.selfFile);
    if (!found)
      return found.takeError();
    declared.value = found->path;
  }
  directory.compilers = std::move(host.names);
  directory.machine = otherMachineOf(system, store, directory);
  // This machine's own compilers are not added: what runs during the build uses them directly.
  if (!directory.machine.empty()) {
    addOtherLanguage(system, directory);
    return llvm::Error::success();
  }
  for (llvm::StringRef name : {"gcc", "g++", "cc", "c++"}) {
    if (directory.compiler(name))
      continue;
    auto found = llvm::expectedToOptional(
        probe::locateCompiler(name, system.environment, system.files, system.selfFile));
    if (found)
      directory.compilers.emplace_back(name.str(), found->path);
  }
  return llvm::Error::success();
}

llvm::Expected<const Machine *> machineOfHost(pipeline::System &system, cache::Store &store,
                                              const ToolchainDirectory &directory) {
  ToolchainDirectory tried = directory;
  if (llvm::Error error = resolveCompilers(system, store, nullptr, tried))
    return error;
  return &machineOf(tried);
}

CrossTools crossToolsOf(pipeline::System &system, cache::Store &store,
                        const ToolchainDirectory &directory) {
  CrossTools tools;
  auto host = directory.machine.empty() ? std::nullopt : askHost(system, store, directory);
  if (!host)
    return tools;
  for (const char *word : {"ar", "strip"}) {
    std::string path =
        support::joinPath(support::parentOf(host->path), fmt::format("{}-{}", host->machine, word));
    if (system.files.executable(path))
      tools.binutils.emplace_back(word, std::move(path));
  }
  // As GNU's compilers for other machines are configured: PREFIX/TRIPLE/lib.
  for (const std::string &folder : host->libraryDirs)
    if (llvm::StringRef root = support::parentOf(folder); support::nameOf(root) == host->machine)
      tools.root = root.str();
  return tools;
}

} // namespace cudacc::commands
