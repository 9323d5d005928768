// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/matrix/FindMatrix.h"
#include "driver/cache/Store.h"
#include "driver/config/Settings.h"
#include "driver/pipeline/Compilers.h"
#include "driver/pipeline/Found.h"
#include "driver/policy/advice/Overrides.h"
#include "driver/policy/rules/Judge.h"
#include "driver/support/FetchSize.h"
#include "driver/support/PathSearch.h"
#include "driver/support/Paths.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

namespace {

class Finder {
public:
  Finder(pipeline::System &system, const Declaration &declaration, MatrixRequest request)
      : system(system), declaration(declaration),
        store(system.environment, system.files, system.uid) {
    found.request = std::move(request);
  }
  llvm::Expected<FoundMatrix> run();

private:
  pipeline::System &system;
  const Declaration &declaration;
  cache::Store store;
  FoundMatrix found;
  plan::MatrixInputs inputs;

  llvm::Error findRuntimes();
  llvm::Error findToolkits();
  void addFetched(const Origin &origin);
  llvm::Error addToolkit(const std::string &root, const Origin &origin);
  llvm::Error findPythons();
  Verdict judge(const Runtime &runtime, const FoundToolkit &toolkit) const;
};

} // namespace

/// The release of torch to build with; of a range the oldest. Empty without torch.
static std::string torchOf(const Target &target) {
  for (const Setting<std::string> &each : target.declaredAs)
    if (auto [name, release] = StringRef(each.value).split("=="); name.trim() == "torch")
      if (versions::Version::parse(release.trim()))
        return release.trim().str();
  return target.torchReleases.empty() ? target.torch : target.torchReleases.front();
}

llvm::Error Finder::findRuntimes() {
  for (const Setting<std::string> &each : found.request.table.runtimes) {
    JudgeArguments one;
    StringRef text = StringRef(each.value).trim();
    if (text == "all")
      one.against = {"all"};
    else if (text.consume_front("all "))
      one.against = {text.trim().str()};
    else
      one.runtime = {text.str()};
    auto resolved = runtimesOf(system, one, declaration);
    if (!resolved) {
      Finding finding = toFinding(resolved.takeError());
      finding.addFact("runtimes", fmt::format("{} in {}", text, config::placeOf(each.origin)));
      return makeError(std::move(finding));
    }
    for (Runtime &runtime : *resolved)
      if (llvm::none_of(found.runtimes,
                        [&](const Runtime &other) { return other.name == runtime.name; }))
        found.runtimes.push_back(std::move(runtime));
  }
  for (const Runtime &runtime : found.runtimes)
    inputs.runtimes.push_back({runtime.name, torchOf(runtime.target), runtime.target.line});
  return llvm::Error::success();
}

/// Errors: there is none, or it cannot be read.
llvm::Error Finder::addToolkit(const std::string &root, const Origin &origin) {
  auto nvcc = probe::locateNvcc({root, origin}, system.environment, system.files, system.selfFile);
  if (!nvcc)
    return nvcc.takeError();
  auto toolkit = pipeline::readToolkit(system, store, nvcc->path, nvcc->foundBy);
  if (!toolkit)
    return toolkit.takeError();
  std::string place = toolkit->root.empty() ? root : toolkit->root;
  if (!found.toolkits.count(place))
    inputs.toolkits.push_back(FoundToolkit{place, toolkit->version()});
  found.toolkits[place] = std::move(*toolkit);
  return llvm::Error::success();
}

/// `12`, `12.4`: a version, which names a toolkit of this machine.
static bool isVersion(StringRef text) {
  return !text.empty() && llvm::isDigit(text.front()) && !text.contains('/');
}

static bool matches(versions::CudaVersion cuda, StringRef version) {
  std::string text = cuda.str();
  return version == text || version == StringRef(text).split('.').first;
}

static bool isFetch(const Setting<std::string> &toolkit) { return toolkit.value == "fetch"; }

/// For each runtime the toolkit that `cuda-cc toolchain --fetch` takes. Where none is known, the
/// plan says for which runtime there is none.
void Finder::addFetched(const Origin &origin) {
  auto &jobs = *(found.jobFetch = plan::MatrixJobs::Fetch());
  for (const Runtime &runtime : found.runtimes) {
    Declaration its = declaration;
    its.runtime = runtime.target.declaredAs;
    auto planned = runtime.problem
                       ? std::nullopt
                       : llvm::expectedToOptional(planToolkit(
                             system, store, its, {{}, found.request.acceptsLicense, ""}));
    if (!planned)
      continue;
    jobs.isAccepted |= planned->isAccepted;
    jobs.hasArchives |= support::hasArchives(planned->plan);
    if (planned->isHere()) {
      // One that cannot be read is none that could be chosen.
      llvm::consumeError(addToolkit(planned->place(), origin));
      continue;
    }
    const std::string &root = planned->folder;
    if (!found.fetches.try_emplace(root, *planned).second)
      continue;
    Toolkit toolkit;
    toolkit.root = root;
    toolkit.foundBy = "fetch";
    toolkit.components.push_back({"nvcc", "", planned->plan.line, planned->plan.release, ""});
    found.toolkits[root] = std::move(toolkit);
    inputs.toolkits.push_back(FoundToolkit{root, planned->plan.line});
  }
}

llvm::Error Finder::findToolkits() {
  config::MatrixTable::Texts asked = found.request.table.toolkits;
  if (asked.empty())
    asked = {{"auto", {Origin::Kind::Default, "auto"}}};
  // Another machine does not have what is found here.
  if (found.request.isForOtherMachines() && llvm::any_of(asked, isFetch))
    llvm::erase_if(asked, [](const auto &each) { return !isFetch(each); });
  std::optional<std::vector<FoundToolkit>> nearby;
  for (const Setting<std::string> &each : asked) {
    if (isFetch(each)) {
      addFetched(each.origin);
      continue;
    }
    bool isAuto = each.value == "auto";
    if (!isAuto && !isVersion(each.value)) {
      if (llvm::Error error = addToolkit(each.value, each.origin))
        return error;
      continue;
    }
    if (!nearby)
      nearby = nearbyToolkits(system);
    bool isHere = isAuto;
    for (const FoundToolkit &toolkit : *nearby) {
      if (!isAuto && !matches(toolkit.cuda, each.value))
        continue;
      isHere = true;
      // One that cannot be read is none that could be chosen.
      llvm::consumeError(addToolkit(toolkit.root, each.origin));
    }
    if (!isHere)
      found.missing.push_back(each.value);
  }
  if (!inputs.toolkits.empty())
    return llvm::Error::success();
  return makeError(
      Code::NoToolkit, "no CUDA toolkit for the builds",
      {{"asked for", support::joined(asked, ", ", [](const auto &each) { return each.value; })}},
      {"name one by its path: toolkits = [\"/opt/cuda-12.4\"]",
       "fetch what the runtimes take: cuda-cc matrix --toolkit fetch"});
}

llvm::Error Finder::findPythons() {
  bool hasUv = !support::findProgram("uv", system.environment, system.files).empty();
  for (const Setting<std::string> &each : found.request.table.pythons) {
    std::string name = isVersion(each.value) ? fmt::format("python{}", each.value) : each.value;
    std::string path = support::findProgram(name, system.environment, system.files);
    if (!system.files.executable(path) && !(hasUv && isVersion(each.value)))
      return makeError(Code::InstallFailed, fmt::format("there is no {}", name),
                       {{"pythons", config::placeOf(each.origin)}, {"searched", "PATH"}},
                       {"install it, or uv, which brings versions of Python"});
    found.pythons[each.value] = path.empty() ? "" : support::absolute(path, system.files);
    if (!llvm::is_contained(inputs.pythons, each.value))
      inputs.pythons.push_back(each.value);
  }
  return llvm::Error::success();
}

/// As `cuda-cc toolchain` judges a directory for this runtime with this toolkit.
Verdict Finder::judge(const Runtime &runtime, const FoundToolkit &toolkit) const {
  Verdict verdict;
  if (runtime.problem) {
    verdict.add(*runtime.problem);
    return verdict;
  }
  auto findings = policy::judgeCompile(runtime.target, &found.toolkits.at(toolkit.root), {},
                                       [] { return std::vector<FoundToolkit>(); });
  verdict.append(policy::applyOverrides(declaration, {}, std::move(findings)).findings);
  return verdict;
}

llvm::Expected<FoundMatrix> Finder::run() {
  if (llvm::Error error = findRuntimes())
    return error;
  if (llvm::Error error = findToolkits())
    return error;
  if (llvm::Error error = findPythons())
    return error;
  inputs.abi = found.request.abi;
  found.plan = plan::planMatrix(
      std::move(inputs), [&](const plan::MatrixRuntime &runtime, const FoundToolkit &toolkit) {
        const Runtime &its = *llvm::find_if(
            found.runtimes, [&](const Runtime &each) { return each.name == runtime.name; });
        return judge(its, toolkit);
      });
  return std::move(found);
}

llvm::Expected<FoundMatrix> findMatrix(pipeline::System &system, const Declaration &declaration,
                                       MatrixRequest request) {
  return Finder(system, declaration, std::move(request)).run();
}

llvm::Error fetchToolkits(pipeline::System &system, FoundMatrix &found,
                          llvm::ArrayRef<unsigned> chosen) {
  cache::Store store(system.environment, system.files, system.uid);
  for (unsigned at : chosen) {
    const std::string &root = found.plan.inputs.toolkits[found.plan.builds[at].toolkit].root;
    auto fetch = found.fetches.find(root);
    if (fetch == found.fetches.end())
      continue;
    if (llvm::Error error = fetchToolkit(system, fetch->second, "cuda-cc matrix"))
      return error;
    found.fetches.erase(fetch);
    if (llvm::Error error =
            pipeline::readToolkit(system, store, support::joinPath(root, "bin/nvcc"), "fetch")
                .moveInto(found.toolkits[root]))
      return error;
  }
  return llvm::Error::success();
}

} // namespace cudacc::commands
