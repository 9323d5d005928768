// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/link/JudgeLink.h"
#include "driver/binary/Reader.h"
#include "driver/binary/elf/MemoryFile.h"
#include "driver/explain/Explain.h"
#include "driver/policy/advice/Overrides.h"
#include "driver/policy/rules/Coverage.h"
#include "driver/report/text/DeviceNames.h"
#include "driver/tables/lookup/Device.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;
using llvm::StringRef;

Finding uncovered(const DeviceInput &input, Arch arch) {
  Finding finding = makeFinding(
      Code::DeviceUncovered, fmt::format("{} has nothing to link for {}", input.name, arch.str()));
  std::string has;
  for (const DeviceImage &image : input.images) {
    has += has.empty() ? "" : ", ";
    has += report::archOf(image);
    if (image.kind == ImageKind::Cubin && !image.relocatable)
      has += " (not relocatable)";
  }
  finding.addFact("input", input.name);
  finding.addFact("has", has);
  finding.addFix(fmt::format("compile it with -dc -gencode arch={},code={}", arch.str("compute_"),
                             arch.str()));
  return finding;
}

Finding linkFailed(const LinkOutcome &outcome, const ArchLink &link, policy::LinkBackend backend) {
  bool isDriver = backend == policy::LinkBackend::Driver;
  Finding finding = makeFinding(Code::LinkFailed,
                                fmt::format("{} {} refused the link for {}",
                                            isDriver ? "the driver's linker of CUDA" : "nvJitLink",
                                            link.linker, link.arch.str()));
  if (link.result.refused && *link.result.refused < outcome.inputs.size())
    finding.addFact("input", outcome.inputs[*link.result.refused].name);
  // nvJitLink before 12.6 prints what later ones log.
  std::string log = link.result.errorLog.empty() ? outcome.printed : link.result.errorLog;
  StringRef said = StringRef(log).split('\n').first;
  if (!said.empty())
    finding.addFact("said", said.str());
  finding.addFact("reason", link.result.failure);
  const policy::NvJitLinkFacts &library = outcome.linkers.nvJitLink;
  finding.addFact("library", isDriver ? outcome.linkers.driverLibrary
                                      : fmt::format("{} ({})", library.path, library.origin));
  explain::Explainer explainer;
  explainer.add(log);
  explain::Explained known = explainer.finish(false);
  for (const explain::Explanation &each : known.messages) {
    finding.addFact("because", each.what);
    for (const std::string &fix : each.fixes)
      finding.addFix(fix);
  }
  return finding;
}

Finding packFailed(StringRef packer, StringRef because) {
  Finding finding = makeFinding(Code::LinkFailed, "nvFatbin cannot pack the linked code");
  finding.addFact("reason", because.str());
  finding.addFact("library", packer.str());
  return finding;
}

Finding driverFailed(const LinkOutcome &outcome, StringRef because) {
  Finding finding = makeFinding(Code::LinkerUnusable, "the driver cannot link here");
  finding.addFact("reason", because.str());
  finding.addFact("driver", outcome.linkers.driverLibrary.empty() ? "no libcuda.so.1 was found"
                                                                  : outcome.linkers.driverLibrary);
  finding.addFix("link with an nvJitLink: pip install nvidia-nvjitlink, and --for env");
  return finding;
}

/// The linker is a part of the toolkit that builds.
static std::optional<Finding> judgeLinkerRelease(const LinkOutcome &outcome, const ArchLink &link,
                                                 const Target &target) {
  if (link.choice.backend != policy::LinkBackend::NvJitLink || !target.line.known())
    return std::nullopt;
  const TargetLibrary *row = target.find(fmt::format("libnvJitLink.so.{}", target.line.major));
  CudaVersion runtime = row && row->cuda.known() ? row->cuda : target.line;
  bool otherMajor = link.linker.major != runtime.major;
  if (!otherMajor && (link.linker <= runtime || target.enforce == Enforce::Symbols))
    return std::nullopt;
  Finding finding =
      makeFinding(otherMajor ? Code::TargetMajor : Code::TargetNewer,
                  fmt::format("nvJitLink {} {} runtime CUDA {}", link.linker,
                              otherMajor ? "is of another major than" : "is newer than", runtime));
  finding.addFact("linker", fmt::format("{} ({})", outcome.linkers.nvJitLink.path,
                                        outcome.linkers.nvJitLink.origin));
  finding.addFact("runtime", target.describe());
  finding.addFix("link with the runtime's own nvJitLink: --for env:PATH");
  return finding;
}

/// The image that the linker wrote, which must be what was asked for.
static llvm::Expected<DeviceImage> linkedImage(const LinkOutcome &outcome, const ArchLink &link) {
  binary::MemoryFile file(link.result.output);
  binary::ReadOptions options;
  options.device = true;
  auto facts = binary::read(file, outcome.request.output, options);
  if (!facts)
    return facts.takeError();
  if (facts->kind != BinaryKind::DeviceCode || facts->device.units.size() != 1 ||
      facts->device.units.front().images.size() != 1)
    return makeError(Code::LinkFailed, "the linker's output is no device code");
  return facts->device.units.front().images.front();
}

/// PTX is translated by the driver that the runtime needs at least.
static std::optional<Finding> judgePtx(const DeviceImage &image, const Target &target) {
  CudaVersion translator = policy::translatorOf(target);
  if (image.kind != ImageKind::Ptx ||
      tables::translatesPtx(translator, image.version) != tables::Works::No)
    return std::nullopt;
  Finding finding = makeFinding(
      Code::PtxNewer, fmt::format("PTX ISA {} is newer than CUDA {}", image.version, translator));
  finding.addFact("runtime", target.describe());
  finding.addFix("emit a cubin");
  return finding;
}

std::vector<Finding> judgeLinked(const LinkOutcome &outcome, const ArchLink &link,
                                 const Declaration &declaration, const Target *target) {
  auto image = linkedImage(outcome, link);
  if (!image)
    return {toFinding(image.takeError())};
  bool isPtx = outcome.request.emit == LinkEmit::Ptx;
  std::vector<Finding> findings;
  if (target && isPtx)
    if (auto finding = judgePtx(*image, *target))
      findings.push_back(std::move(*finding));
  bool isRefused = !findings.empty();
  if (target)
    if (auto finding = judgeLinkerRelease(outcome, link, *target))
      findings.push_back(std::move(*finding));
  bool isDriver = link.choice.backend == policy::LinkBackend::Driver;
  // Of PTX that the runtime's driver does not translate nothing more is to say.
  if (outcome.request.emit != LinkEmit::LtoIr && !isRefused)
    addDistinct(findings, policy::judgeLinkOutput(isDriver ? CudaVersion() : link.linker,
                                                  outcome.linkers.driver, isPtx));
  findings = policy::applyMode(declaration.enforce.value, std::move(findings));
  if (!policy::overrides(declaration))
    return findings;
  policy::Overridden overridden =
      policy::applyOverrides(declaration, {outcome.request.output}, std::move(findings));
  addDistinct(overridden.findings, overridden.waived);
  return std::move(overridden.findings);
}

void addDistinct(std::vector<Finding> &findings, llvm::ArrayRef<Finding> more) {
  for (const Finding &each : more) {
    bool isNew = llvm::none_of(findings, [&](const Finding &known) {
      return known.code == each.code && known.message == each.message;
    });
    if (isNew)
      findings.push_back(each);
  }
}

} // namespace cudacc::commands
