// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/Reader.h"
#include "driver/binary/elf/MemoryFile.h"
#include "driver/commands/link/LinkReport.h"
#include "driver/explain/Explain.h"
#include "driver/policy/advice/Overrides.h"
#include "driver/report/text/DeviceNames.h"
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

Finding driverFailed(const LinkOutcome &outcome, const ArchLink &link, StringRef because) {
  Finding finding = makeFinding(Code::LinkerUnusable, "the driver cannot link here");
  finding.addFact("reason", because.str());
  finding.addFact("driver", outcome.linkers.driverLibrary.empty() ? "no libcuda.so.1 was found"
                                                                  : outcome.linkers.driverLibrary);
  const policy::NvJitLinkFacts &library = outcome.linkers.nvJitLink;
  if (library.path.empty())
    finding.addFact("nvJitLink", library.reason.empty() ? "none was found" : library.reason);
  policy::LinkQuestion question = questionOf(outcome, link);
  question.forced.reset();
  if (auto wheels = policy::wheelsServing(question); !wheels.empty())
    finding.addFix(fmt::format("link with an nvJitLink: pip install '{}', and --for env:PATH",
                               wheels.front()));
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

std::vector<Finding> judgeLinked(const LinkOutcome &outcome, const ArchLink &link,
                                 const Declaration &declaration, const Target *target) {
  auto image = linkedImage(outcome, link);
  if (!image)
    return {toFinding(image.takeError())};
  const policy::NvJitLinkFacts &library = outcome.linkers.nvJitLink;
  policy::LinkedCode linked;
  if (link.choice.backend == policy::LinkBackend::NvJitLink)
    linked.linker = link.linker;
  linked.library = fmt::format("{} ({})", library.path, library.origin);
  if (image->kind == ImageKind::Ptx)
    linked.isa = image->version;
  std::vector<Finding> findings;
  if (target)
    findings = policy::judgeLinkedFor(*target, linked);
  bool isTooNew =
      llvm::any_of(findings, [](const Finding &finding) { return finding.code == Code::PtxNewer; });
  // Of PTX that the runtime's driver does not translate nothing more is to say.
  if (outcome.request.emit != LinkEmit::LtoIr && !isTooNew)
    addDistinct(findings, policy::judgeLinkOutput(linked.linker, outcome.linkers.driver,
                                                  outcome.request.emit == LinkEmit::Ptx));
  findings = policy::applyMode(declaration.enforce.value, std::move(findings));
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
