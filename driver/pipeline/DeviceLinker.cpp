// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/DeviceLinker.h"
#include "driver/pipeline/Found.h"
#include "driver/pipeline/RuntimeFiles.h"
#include "driver/plan/command/Nvcc.h"
#include "driver/plan/toolchain/Toolchain.h"
#include "driver/policy/advice/RuntimeFixes.h"
#include "driver/policy/devicelink/ChooseLinker.h"
#include "driver/probe/toolkit/LinkHelper.h"
#include "driver/support/PathSearch.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/versions/Format.h"

namespace cudacc::pipeline {

using namespace core;
using support::joinPath;
using support::nameOf;
using support::parentOf;

static constexpr llvm::StringLiteral useNvlink =
    "link with the toolkit's nvlink: device-linker = \"nvlink\"";

static Fact settingOf(const Call &call) {
  return {"device-linker", fmt::format("runtime ({})", call.declaration.deviceLinker.origin)};
}

static llvm::Error undeclared(System &system, const Call &call) {
  std::string runtime = runtimeForHere(system);
  return makeError(Code::RuntimeRequired, "device-linker = \"runtime\" needs a declared runtime",
                   {settingOf(call)},
                   {fmt::format("declare one: runtime = \"{}\"", runtime), useNvlink.str()});
}

static std::string installingNvJitLink(const Target &target) {
  unsigned major = target.line.major;
  llvm::StringRef dist = tables::distOf(fmt::format("libnvJitLink.so.{}", major), major);
  return dist.empty() ? "use a runtime of CUDA 12 or newer" : policy::installing(target, dist);
}

/// The nvJitLink of the runtime. Errors: NoToolkit.
static llvm::Error findLibrary(System &system, cache::Store &store, const Call &call,
                               const Target &target, ToolchainDirectory::DeviceLinker &linker) {
  auto known = tables::libraryByLinkName("nvJitLink");
  const TargetLibrary *row = policy::nvJitLinkOf(target);
  if (!row || !known)
    return makeError(Code::NoToolkit, "the runtime has no nvJitLink to link device code with",
                     {{"runtime", target.describe()}, settingOf(call)},
                     {installingNvJitLink(target), useNvlink.str()});
  auto path = RuntimeFiles(system, store, call.declaration, target, call.in()).library(*known, row);
  if (!path) {
    Finding finding = toFinding(path.takeError());
    finding.facts.push_back(settingOf(call));
    finding.addFix(useNvlink.str());
    return makeError(std::move(finding));
  }
  linker.library = support::absolute(*path, system.files);
  bool isOwn = !row->path.empty();
  // A toolkit that stands in for the runtime has its CUDA version.
  linker.version = isOwn ? row->cuda : target.line;
  linker.origin = isOwn && !row->dist.empty()
                      ? fmt::format("{} {} of the runtime", row->dist, row->version)
                      : fmt::format("that of {}", target.describe());
  return llvm::Error::success();
}

/// The folder that nvcc takes as its own. A script starts the nvcc of another folder.
static std::string nvccFolder(System &system, const Call &call, const Toolkit *toolkit) {
  std::string folder = parentOf(call.compiler.compiler).str();
  bool isOwn = system.files.stat(folder + "/nvcc.profile").exists();
  return isOwn || !toolkit ? folder : parentOf(toolkit->driver).str();
}

/// Links to everything in the toolkit; in its `bin`, nvcc is \p nvcc, and nvlink is left out.
static std::vector<TreeEntry> linksTo(System &system, const std::string &folder,
                                      const std::string &nvcc) {
  std::vector<TreeEntry> entries;
  std::string root = parentOf(folder).str();
  for (const std::string &name : system.files.list(root))
    if (name != nameOf(folder) && name != "bin" && name != ToolchainDirectory::factsName)
      entries.push_back({name, joinPath(root, name)});
  for (const std::string &name : system.files.list(folder))
    if (name != "nvlink" && name != "nvcc")
      entries.push_back({fmt::format("bin/{}", name), joinPath(folder, name)});
  entries.push_back({"bin/nvcc", nvcc});
  return entries;
}

llvm::Expected<DeviceLinkerParts> findDeviceLinker(System &system, cache::Store &store,
                                                   const Call &call, const Target &target,
                                                   const Toolkit *toolkit,
                                                   const std::string *place) {
  if (!target.declared)
    return undeclared(system, call);
  if (!place || !plan::nvccCanLieIn(*place))
    return makeError(
        Code::CannotWrite,
        "there is no folder from which nvcc can start the runtime's device linker",
        {{"folder", place ? *place : "none is writable"}, settingOf(call)},
        {"name a writable one without $ and ` in its path: XDG_DATA_HOME=FOLDER", useNvlink.str()});
  DeviceLinkerParts parts;
  if (llvm::Error error = findLibrary(system, store, call, target, parts.linker))
    return error;
  std::string folder = nvccFolder(system, call, toolkit);
  parts.linker.nvlink = folder + "/nvlink";
  if (!system.files.executable(parts.linker.nvlink))
    parts.linker.nvlink = support::findProgram("nvlink", system.environment, system.files);
  parts.linker.helper = probe::linkHelperOf(system.self);
  std::string nvcc = !call.compiler.driver.empty() ? call.compiler.driver
                     : toolkit                     ? toolkit->driver
                                                   : call.compiler.compiler;
  parts.entries = linksTo(system, folder, nvcc);
  return parts;
}

Command planDeviceLinker(const Call &call, const DeviceLinkerParts &parts, llvm::StringRef place,
                         Plan &plan) {
  ToolchainDirectory made;
  made.declaration = call.declaration;
  made.declaration.launcher.clear();
  made.declarationFile = call.declaration.file;
  made.linker = parts.linker;
  plan::ToolchainContent content = plan::planToolchain(made, parts.program, parts.entries);
  std::string path = fmt::format("{}/directories/{}", place, content.name);
  plan.directories.push_back({path, std::move(content.entries), std::move(content.programs),
                              std::move(content.fingerprint)});
  plan.reasons.push_back(fmt::format("device linker {}", parts.linker.library));
  std::string nvcc = path + "/bin/nvcc";
  // The words before the caller's arguments end in nvcc itself, which launchers may precede.
  const Command &old = call.compiler.command;
  Command command{old.program, {}, old.unset, old.set};
  for (size_t i = 0; i + 1 < old.argv.size(); ++i)
    command.argv.add(old.argv[i]);
  command.argv.add(nvcc);
  if (old.argv.size() == 1)
    command.program = nvcc;
  return command;
}

} // namespace cudacc::pipeline
