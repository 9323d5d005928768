// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/Found.h"
#include "driver/Version.h"
#include "driver/pipeline/DeviceLinker.h"
#include "driver/pipeline/LinkSurroundings.h"
#include "driver/plan/command/Nvcc.h"
#include "driver/plan/toolchain/UserCompiler.h"
#include "driver/policy/advice/RuntimeFixes.h"
#include "driver/probe/host/HostProbe.h"
#include "driver/probe/toolkit/FactsPackage.h"
#include "driver/probe/toolkit/Headers.h"
#include "driver/probe/toolkit/Locate.h"
#include "driver/probe/toolkit/TorchHeaders.h"
#include "driver/probe/toolkit/TorchTable.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace cudacc::pipeline {

using namespace core;

bool isEnforced(const Target &target) {
  return target.declared && target.enforce != Enforce::Off && target.enforce != Enforce::Warn;
}

bool ownCompilersServe(const Call &call, const NvccHost &host) {
  return call.directory && plan::nvccCanName(call.directory->path, /*inList=*/false) &&
         llvm::all_of(host.names, [&](const auto &name) {
           if (!call.directory->anonymous && plan::UserCompiler::find(name.first))
             return true;
           const std::string *baked = call.directory->compiler(name.first);
           return baked && *baked == name.second;
         });
}

bool canShim(const Call &call, const Found &found, const std::string *place) {
  const NvccHost &host = found.nvccHost;
  if (!found.wantsShim || host.names.empty())
    return false;
  return ownCompilersServe(call, host) ||
         (found.shim && place && plan::nvccCanName(*place + host.name, /*inList=*/false));
}

bool linksWithoutShim(const Call &call, const Found &found, const std::string *place) {
  return call.isLink() && !found.nvccHost.names.empty() && !canShim(call, found, place) &&
         // If nvcc cannot be given the host compiler's path, it searches for the name and finds the
         // shim, which lies first on PATH (P24).
         (found.wantsShim || !call.isNamed() ||
          !plan::nvccCanName(found.nvccHost.compiler, /*inList=*/false));
}

std::vector<FoundToolkit> nearbyToolkits(System &system) {
  return probe::otherToolkits(system.environment, system.files, system.selfFile);
}

std::string runtimeForHere(System &system) { return policy::buildableHere(nearbyToolkits(system)); }

namespace {

/// The search for one call; the result is `found`.
class Finder {
public:
  Finder(System &system, cache::Store &store, const Call &call, const Target &target)
      : system(system), store(store), call(call), target(target) {}

  llvm::Error addNvcc();
  void addClangToolkit();
  void addHeaders();
  llvm::Error addHost(const std::string &compiler);
  void addShim();
  llvm::Error addDeviceLinker(const std::string *place);
  void addLink();

  Found found;

private:
  System &system;
  cache::Store &store;
  const Call &call;
  const Target &target;

  std::string clangsOwnToolkit();
};

} // namespace

llvm::Error Finder::addNvcc() {
  const std::string &nvcc = call.compiler.compiler;
  auto probed = readToolkit(system, store, nvcc, call.compiler.foundBy, call.compiler.driver);
  if (probed) {
    found.toolkit = std::move(*probed);
    found.isJudged = true;
  } else if (isEnforced(target)) {
    return probed.takeError();
  } else {
    llvm::consumeError(probed.takeError());
  }
  // The facts of a link are printed by the shim's call.
  found.wantsShim =
      (call.isLink() || call.invocation.verbose) && (hasWork(call) || call.print == Stage::Facts);
  found.nvccHost = findNvccHost(system, call.invocation, call.declaration, found.judgedToolkit(),
                                call.in(), found.wantsShim);
  if (found.wantsShim && !ownCompilersServe(call, found.nvccHost))
    addShim();
  return found.nvccHost.compiler.empty() ? llvm::Error::success()
                                         : addHost(found.nvccHost.compiler);
}

/// A compiler that is none reports that itself.
llvm::Error Finder::addHost(const std::string &compiler) {
  auto probed = store.hostCompiler(
      compiler, [&] { return probe::probeHostCompiler(compiler, system.files, system.runner); });
  if (probed) {
    found.host = std::move(*probed);
    return llvm::Error::success();
  }
  Finding finding = toFinding(probed.takeError());
  bool isAsked = finding.code == Code::SpawnFailed && isEnforced(target);
  return isAsked ? makeError(std::move(finding)) : llvm::Error::success();
}

/// Identifies the cuda-cc that is copied into a directory.
static std::string copied(System &system) {
  FileId self = system.files.stat(system.self).id;
  return fmt::format("{} {} {}", version, self.size, self.mtime);
}

llvm::Error Finder::addDeviceLinker(const std::string *place) {
  auto parts = findDeviceLinker(system, store, call, target, found.judgedToolkit(), place);
  if (!parts)
    return parts.takeError();
  parts->program = copied(system);
  found.deviceLinker = std::move(*parts);
  return llvm::Error::success();
}

void Finder::addShim() {
  ShimParts &shim = found.shim.emplace();
  shim.program = copied(system);
  if (auto table = probe::TorchTable::linkFor(system.self, system.files)) {
    // A directory created without the table must not be reused.
    table->namesPlace = false;
    shim.entries.push_back(std::move(*table));
  }
  if (auto facts = probe::factsLinkFor(system.self)) {
    facts->namesPlace = false;
    shim.entries.push_back(std::move(*facts));
  }
}

void Finder::addHeaders() {
  if (call.invocation.sources.empty())
    return;
  probe::IncludePath path(call.invocation, found.toolkit ? &*found.toolkit : nullptr,
                          call.isNvcc() ? found.knownHost() : nullptr, system.environment,
                          system.files);
  found.headers = probe::findCudaHeaders(path);
  if (!target.torchReleases.empty())
    found.torchHeaders = probe::findTorchHeaders(path);
}

/// Without --cuda-path clang takes the toolkit of the ptxas on PATH, then these directories (clang
/// 14 and 19).
std::string Finder::clangsOwnToolkit() {
  auto ptxas = llvm::expectedToOptional(
      probe::locateCompiler("ptxas", system.environment, system.files, system.selfFile));
  if (ptxas) {
    std::string real = system.files.realPath(ptxas->path).value_or(ptxas->path);
    std::string root = llvm::sys::path::parent_path(llvm::sys::path::parent_path(real)).str();
    if (system.files.stat(root + "/include/cuda.h").exists())
      return root;
  }
  for (const char *root : {"/usr/local/cuda", "/usr/lib/cuda"})
    if (system.files.stat(std::string(root) + "/include/cuda.h").exists())
      return root;
  return "/usr/local/cuda";
}

/// Adds the toolkit that clang uses for CUDA sources. Without an nvcc in it, only its include
/// directory is known.
void Finder::addClangToolkit() {
  if (call.invocation.dialect != Dialect::Clang || call.invocation.cudaSources == 0)
    return;
  const auto &given = call.invocation.cudaPath;
  std::string root = given ? given->str() : clangsOwnToolkit();
  std::string nvcc = root + "/bin/nvcc", foundBy = given ? "--cuda-path" : "where clang looks";
  if (system.files.executable(nvcc)) {
    found.toolkit = llvm::expectedToOptional(readToolkit(system, store, nvcc, foundBy));
    found.isJudged = found.toolkit.has_value();
    if (found.isJudged)
      return;
  }
  found.toolkit.emplace();
  found.toolkit->root = root;
  found.toolkit->includeDirs = {root + "/include"};
}

void Finder::addLink() {
  // For an nvcc link without a shim, nvcc itself searches the toolchain directory.
  const ToolchainDirectory *directory = call.isNvcc() ? nullptr : call.in();
  found.link = findSurroundings(system, store, call, target, directory, found.knownHost());
}

llvm::Expected<Found> find(System &system, cache::Store &store, const Call &call,
                           const Target &target, const std::string *place) {
  Finder finder(system, store, call, target);
  if (call.isNvcc()) {
    if (llvm::Error error = finder.addNvcc())
      return error;
    finder.addHeaders();
    if (linksByRuntime(call))
      if (llvm::Error error = finder.addDeviceLinker(place))
        return error;
    if (linksWithoutShim(call, finder.found, place))
      finder.addLink();
    return std::move(finder.found);
  }
  if (!call.invocation.sources.empty() && target.declared) {
    finder.addClangToolkit();
    finder.addHeaders();
  }
  if (call.isLink() || (!finder.found.headers.empty() && call.invocation.takesRecord))
    if (llvm::Error error = finder.addHost(call.compiler.compiler))
      return error;
  if (call.isLink())
    finder.addLink();
  return std::move(finder.found);
}

} // namespace cudacc::pipeline
