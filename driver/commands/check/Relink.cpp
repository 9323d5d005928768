// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/check/Relink.h"
#include "driver/commands/link/LinkInputs.h"
#include "driver/policy/rules/Coverage.h"
#include "driver/probe/toolkit/LinkHelper.h"
#include "driver/versions/Format.h"
#include "plugins/devlink/RunLinker.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;

namespace {

struct RelinkUnit {
  DeviceInput input;
  DeviceUnit::Home home;
};

/// What one link of the job is for.
struct Purpose {
  Arch gpu;
  std::vector<uint32_t> inputs;
  bool lto = false;
};

} // namespace

static llvm::Expected<std::vector<RelinkUnit>>
readRelinkUnits(pipeline::System &system, const Inputs &inputs, const Input &input) {
  auto file = open(system, inputs, input);
  if (!file)
    return file.takeError();
  std::vector<RelinkUnit> units;
  uint64_t taken = 0;
  auto onContainer = [&](const binary::Container &container) -> llvm::Error {
    if (container.linked || container.home == DeviceUnit::Home::Elsewhere)
      return llvm::Error::success();
    auto taking = inputOf(container, input.name, taken);
    if (!taking)
      return taking.takeError();
    units.push_back({std::move(*taking), container.home});
    return llvm::Error::success();
  };
  binary::ReadOptions options;
  options.device = options.inflate = true;
  options.imports = options.thorough = false;
  options.onContainer = onContainer;
  auto facts = binary::read(**file, input.name, options);
  if (!facts)
    return facts.takeError();
  return units;
}

/// What of the unit would be linked or translated on that GPU; std::nullopt if machine code runs
/// there, or nothing does.
static std::optional<policy::Artifact> artifactFor(const RelinkUnit &unit, Arch gpu) {
  for (const DeviceImage &image : unit.input.images)
    if (image.kind == ImageKind::Cubin && !image.relocatable &&
        policy::runsOn(image.kind, image.arch, gpu))
      return std::nullopt;
  auto used = linkInputFor(unit.input, gpu, /*lto=*/false);
  return used ? std::optional(used->kind) : std::nullopt;
}

static std::vector<Purpose> purposesOf(llvm::ArrayRef<RelinkUnit> units,
                                       llvm::ArrayRef<Arch> gpus) {
  std::vector<Purpose> purposes;
  for (Arch gpu : gpus) {
    Purpose whole;
    whole.gpu = gpu;
    bool hasText = false;
    for (uint32_t i = 0; i != units.size(); ++i) {
      auto artifact = artifactFor(units[i], gpu);
      if (!artifact)
        continue;
      bool isText = *artifact != policy::Artifact::Cubin;
      if (units[i].home != DeviceUnit::Home::Relocatable) {
        purposes.push_back({gpu, {i}, *artifact == policy::Artifact::LtoIr});
        continue;
      }
      hasText |= isText;
      whole.inputs.push_back(i);
      whole.lto |= *artifact == policy::Artifact::LtoIr;
    }
    // Relocatable machine code alone proves nothing about PTX or LTO-IR.
    if (hasText)
      purposes.push_back(std::move(whole));
  }
  return purposes;
}

/// The job borrows the bytes of \p units.
static devlink::Job relinkJob(llvm::ArrayRef<RelinkUnit> units, llvm::ArrayRef<Purpose> purposes,
                              const TargetLibrary &library) {
  devlink::Job job;
  job.backend = devlink::JobBackend::NvJitLink;
  job.library = library.path;
  for (const RelinkUnit &unit : units)
    job.inputs.push_back({unit.input.kind, unit.input.name, unit.input.bytes});
  for (const Purpose &purpose : purposes) {
    devlink::Link link;
    link.options.push_back(fmt::format("-arch={}", purpose.gpu.str()));
    if (purpose.lto)
      link.options.push_back("-lto");
    link.inputs = purpose.inputs;
    job.links.push_back(std::move(link));
  }
  return job;
}

static Finding lacksNvJitLink(const Runtime &runtime, const Input &input) {
  Finding finding =
      makeFinding(Code::LinkerUnusable, "the runtime's nvJitLink is not on this machine");
  finding.addFact("file", input.name);
  finding.addFact("runtime", runtime.name);
  finding.addFix("name an environment that has it: --runtime env:PATH");
  return finding;
}

llvm::Error requireGpus(llvm::ArrayRef<Runtime> runtimes) {
  if (llvm::all_of(runtimes, [](const Runtime &each) { return !each.target.gpus.empty(); }))
    return llvm::Error::success();
  return makeError(Code::Usage, "--relink links for declared GPUs, and none is declared", {},
                   {"cuda-cc check --runtime env:PATH --gpu sm_90 --relink FILE"});
}

std::vector<Finding> relink(pipeline::System &system, const Inputs &inputs, const Input &input,
                            const BinaryFacts &facts, const Runtime &runtime) {
  bool hasText = llvm::any_of(facts.device.units, [](const DeviceUnit &unit) {
    return llvm::any_of(unit.images, [](const DeviceImage &image) {
      return image.kind == ImageKind::Ptx || image.kind == ImageKind::LtoIr;
    });
  });
  if (!hasText)
    return {};
  const Target &target = runtime.target;
  const TargetLibrary *library = policy::nvJitLinkOf(target);
  if (!library || library->path.empty())
    return {lacksNvJitLink(runtime, input)};
  auto units = readRelinkUnits(system, inputs, input);
  if (!units)
    return {toFinding(units.takeError())};
  std::vector<Purpose> purposes = purposesOf(*units, target.gpus);
  if (purposes.empty())
    return {};
  devlink::Job job = relinkJob(*units, purposes, *library);
  std::string printed;
  auto reply = devlink::runLinker(job, probe::linkHelperOf(system.self), system.runner, printed);
  if (!reply)
    return {toFinding(reply.takeError())};
  if (reply->opening != devlink::Opening::Ok)
    return {devlink::unusable(job, *reply)};
  std::vector<Finding> findings;
  for (size_t i = 0; i != reply->results.size(); ++i)
    if (!reply->results[i].ok) {
      Finding finding = devlink::refusal(job, reply->results[i], printed);
      finding.addFact("for", purposes[i].gpu.str());
      findings.push_back(std::move(finding));
    }
  return findings;
}

} // namespace cudacc::commands
