// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/link/LinkReport.h"
#include "driver/binary/Reader.h"
#include "driver/binary/elf/MemoryFile.h"
#include "driver/commands/WorkFolder.h"
#include "driver/core/Diagnostic.h"
#include "driver/explain/Explain.h"
#include "driver/policy/advice/Overrides.h"
#include "driver/report/json/JsonParts.h"
#include "driver/report/text/DeviceNames.h"
#include "driver/report/text/Layout.h"
#include "driver/support/Paths.h"
#include "driver/versions/EnumWords.h"
#include "driver/versions/Format.h"
#include "llvm/Support/Path.h"

namespace cudacc::commands {

using namespace core;
using namespace report;
using llvm::StringRef;
using llvm::json::Object;
using versions::CudaVersion;
using namespace versions;

policy::LinkQuestion questionOf(const LinkOutcome &outcome, const ArchLink &link) {
  const LinkRequest &request = outcome.request;
  policy::LinkQuestion question;
  question.inputs = link.inputs;
  question.emitsPtx = request.emit == LinkEmit::Ptx;
  question.emitsLtoIr = request.emit == LinkEmit::LtoIr;
  question.needsNvJitLink = request.lto || question.emitsPtx || question.emitsLtoIr;
  question.onlyNvJitLink = request.onlyNvJitLink;
  question.ignoredByDriver = request.ignoredByDriver;
  question.nvJitLink = outcome.linkers.nvJitLink;
  question.driver = outcome.linkers.driver;
  question.policy = request.policy;
  question.forced = request.backend;
  return question;
}

static StringRef str(policy::LinkBackend backend) {
  return backend == policy::LinkBackend::NvJitLink ? "nvjitlink" : "driver";
}

static StringRef str(policy::LinkPolicy policy) {
  return policy == policy::LinkPolicy::DirectionAware ? "direction-aware" : "cuda-core-1911";
}

static StringRef str(policy::Artifact kind) {
  static constexpr llvm::StringLiteral words[] = {"ltoir", "ptx", "cubin"};
  return versions::entryOf<policy::Artifact::Cubin>(words, kind);
}

std::string logsOf(const ArchLink &link) {
  return report::printableLines(link.result.infoLog) + report::printableLines(link.result.errorLog);
}

static llvm::json::Value inputJson(const policy::LinkImage &input) {
  Object out{{"name", fixed(input.name)}, {"kind", str(input.kind)}};
  put(out, "made_by", input.producer);
  put(out, "ptx", input.isa);
  put(out, "evidence", input.evidence);
  return out;
}

static llvm::json::Value linkJson(const ArchLink &link) {
  const policy::LinkChoice &choice = link.choice;
  Object out{{"arch", link.arch.str()},
             {"lto", link.lto},
             {"row", choice.row},
             {"reasons", strings(choice.reasons)},
             {"inputs", array(link.inputs, inputJson)}};
  if (choice.backend)
    out["backend"] = str(*choice.backend);
  put(out, "linker", link.linker);
  put(out, "info_log", link.result.infoLog);
  put(out, "error_log", link.result.errorLog);
  put(out, "failure", link.result.failure);
  if (link.linker.known())
    out["microseconds"] = int64_t(link.result.microseconds);
  return out;
}

static llvm::json::Value outputJson(const WrittenFile &file) {
  return Object{{"path", fixed(file.path)},
                {"size", int64_t(file.size)},
                {"arch", array(file.archs, [](versions::Arch arch) -> llvm::json::Value {
                   return arch.str();
                 })}};
}

static llvm::json::Value nvJitLinkJson(const policy::NvJitLinkFacts &facts) {
  Object out;
  put(out, "path", facts.path);
  put(out, "version", facts.version);
  put(out, "origin", facts.origin);
  put(out, "problem", facts.reason);
  return out;
}

static llvm::json::Value driverJson(const FoundLinkers &linkers) {
  Object out;
  put(out, "path", linkers.driverLibrary);
  put(out, "cuda", linkers.driver.cuda);
  put(out, "release", linkers.driver.release);
  put(out, "origin", linkers.driverOrigin);
  return out;
}

llvm::json::Value linkJson(const LinkOutcome &outcome) {
  Object out{{"schema", 1},
             {"policy", str(outcome.request.policy)},
             {"emit", str(outcome.request.emit)},
             {"nvjitlink", nvJitLinkJson(outcome.linkers.nvJitLink)},
             {"driver", driverJson(outcome.linkers)},
             {"links", array(outcome.links, [](const ArchLink &each) { return linkJson(each); })},
             {"outputs", array(outcome.outputs, outputJson)},
             {"findings",
              array(outcome.findings, [](const Finding &each) { return report::toJson(each); })}};
  put(out, "printed", outcome.printed);
  if (outcome.openMicroseconds)
    out["open_microseconds"] = int64_t(outcome.openMicroseconds);
  return out;
}

/// `nvjitlink (A5)`, `refused (A7): CC5002`.
static std::string summaryOf(const policy::LinkChoice &choice) {
  if (choice.backend)
    return fmt::format("{} ({})", str(*choice.backend), choice.row);
  std::string codes;
  for (const Finding &finding : choice.findings)
    if (finding.severity == Severity::Error)
      codes += fmt::format("{}{}", codes.empty() ? "" : ", ", core::str(finding.code));
  return fmt::format("refused ({}): {}", choice.row, codes);
}

std::string linkExplanation(const LinkOutcome &outcome) {
  std::string text;
  for (const ArchLink &link : outcome.links) {
    policy::LinkComparison both = policy::comparePolicies(questionOf(outcome, link));
    text += fmt::format("{}\n", link.arch.str());
    for (const policy::LinkImage &input : link.inputs)
      text += fmt::format("  input            {}: {}{}{}\n", report::printable(input.name),
                          str(input.kind), input.evidence.empty() ? "" : ", ",
                          report::printable(input.evidence));
    for (const std::string &reason : both.directionAware.reasons)
      text += fmt::format("  because          {}\n", report::printable(reason));
    text += fmt::format("  direction-aware  {}\n", summaryOf(both.directionAware));
    text += fmt::format("  cuda-core-1911   {}\n", summaryOf(both.cudaCore1911));
    if (!both.difference.empty())
      text += fmt::format("  differ           {}\n", report::printable(both.difference));
  }
  return text;
}

std::string linkTimes(const LinkOutcome &outcome) {
  std::string text = fmt::format("open    {:8.1f} ms\n", double(outcome.openMicroseconds) / 1000);
  for (const ArchLink &link : outcome.links)
    text += fmt::format("link    {:8.1f} ms  {}\n", double(link.result.microseconds) / 1000,
                        link.arch.str());
  return text;
}

static devlink::LibraryVersion versionOf(CudaVersion version) {
  return {version.major, version.minor};
}

static devlink::Link linkFor(const LinkRequest &request, const ArchLink &link, size_t inputs,
                             policy::LinkBackend backend) {
  devlink::Link out;
  out.options.push_back(fmt::format("-arch={}", link.arch.str()));
  if (link.lto)
    out.options.push_back("-lto");
  if (request.emit == LinkEmit::Ptx)
    out.options.push_back("-ptx");
  for (const std::string &option : request.options)
    if (backend == policy::LinkBackend::NvJitLink || !isIgnoredByDriver(option))
      out.options.push_back(option);
  if (request.emit == LinkEmit::Ptx)
    out.emit = devlink::Emit::Ptx;
  if (request.emit == LinkEmit::LtoIr)
    out.emit = devlink::Emit::LtoIr;
  for (uint32_t i = 0; i != inputs; ++i)
    out.inputs.push_back(i);
  return out;
}

devlink::Job jobFor(const LinkOutcome &outcome, policy::LinkBackend backend,
                    llvm::ArrayRef<ArchLink *> links) {
  devlink::Job job;
  if (backend == policy::LinkBackend::NvJitLink) {
    const policy::NvJitLinkFacts &facts = outcome.linkers.nvJitLink;
    job.backend = devlink::JobBackend::NvJitLink;
    job.library = facts.path;
    job.expected = job.entryPoints = versionOf(facts.version);
  } else {
    const policy::DriverFacts &facts = outcome.linkers.driver;
    job.backend = devlink::JobBackend::Driver;
    job.library = outcome.linkers.driverLibrary;
    // A declared driver is another machine's.
    if (facts.cuda.known() && !facts.declared)
      job.expected = versionOf(facts.cuda);
  }
  for (const DeviceInput &input : outcome.inputs)
    job.inputs.push_back({input.kind, input.name, input.bytes});
  for (const ArchLink *link : links)
    job.links.push_back(linkFor(outcome.request, *link, job.inputs.size(), backend));
  // One process packs what it linked itself.
  if (outcome.request.emit == LinkEmit::Fatbin && links.size() == outcome.links.size())
    job.packer = outcome.linkers.nvFatbin;
  return job;
}

std::string pathForArch(StringRef path, versions::Arch arch) {
  StringRef extension = llvm::sys::path::extension(path);
  return fmt::format("{}.{}.cubin", path.drop_back(extension.size()), arch.str());
}

static llvm::Expected<std::string> runFatbinary(pipeline::System &system,
                                                const LinkOutcome &outcome) {
  auto work = WorkFolder::makeTemporary(system);
  if (!work)
    return work.takeError();
  std::string packed = support::joinPath((*work)->path(), "fatbin");
  const std::string &program = outcome.linkers.fatbinary;
  Command command{program, {program, "-64", fmt::format("--create={}", packed)}, {}, {}};
  for (const ArchLink &link : outcome.links) {
    std::string path = support::joinPath((*work)->path(), link.arch.str());
    if (llvm::Error error = system.files.write(path, link.result.output, 0600))
      return error;
    command.argv.add(fmt::format("--image3=kind=elf,sm={},file={}", link.arch.str(""), path));
  }
  auto answer = system.runner.ask(command);
  if (!answer)
    return answer.takeError();
  if (!answer->ended.ok())
    return makeError(Code::LinkFailed, "fatbinary cannot pack the linked code",
                     {{"program", program}, {"said", answer->err}});
  return system.files.read(packed, uint64_t(4) << 30);
}

llvm::Expected<std::string> packFatbin(pipeline::System &system, const LinkOutcome &outcome) {
  if (!outcome.packed.empty())
    return outcome.packed;
  if (!outcome.linkers.fatbinary.empty())
    return runFatbinary(system, outcome);
  return std::string();
}

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
