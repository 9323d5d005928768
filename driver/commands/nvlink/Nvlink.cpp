// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/nvlink/Nvlink.h"
#include "driver/commands/nvlink/NvlinkInputs.h"
#include "driver/pipeline/Call.h"
#include "driver/pipeline/Reporter.h"
#include "driver/policy/advice/Overrides.h"
#include "driver/report/text/Layout.h"
#include "driver/versions/Format.h"
#include "plugins/devlink/RunLinker.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

namespace {

class RuntimeLink {
public:
  RuntimeLink(pipeline::System &system, const ToolchainDirectory &directory, NvlinkCall given)
      : system(system), declaration(directory.declaration), linker(*directory.linker),
        call(std::move(given)) {}

  /// Reads the inputs.
  llvm::Error read();
  bool hasDeviceCode() const { return !inputs.objects.empty(); }
  /// Whether the runtime's nvJitLink takes the inputs.
  std::vector<Finding> judge() const;
  llvm::Error link();

private:
  pipeline::System &system;
  const Declaration &declaration;
  const ToolchainDirectory::DeviceLinker &linker;
  NvlinkCall call;
  NvlinkInputs inputs;
  /// Those of `inputs.objects` with code for the architecture.
  std::vector<const NvlinkInput *> linked;

  void warn(StringRef kind, StringRef text) const;
  void show(StringRef log) const;
  devlink::Job job(bool withSystem) const;
  /// \p printed is what the library printed by itself.
  llvm::Expected<devlink::LinkResult> run(const devlink::Job &job, std::string &printed) const;
  llvm::Error write(const devlink::LinkResult &result, bool withSystem) const;
};

} // namespace

/// In nvlink's form, which build logs are read by.
void RuntimeLink::warn(StringRef kind, StringRef text) const {
  bool isHidden = kind == "info" ? call.hidesInfos : call.hidesWarnings;
  if (!isHidden)
    system.console.err(fmt::format("nvlink {:<8}: {}\n", kind, report::printable(text)));
}

/// The library's log, except for lines that the call hides. It may quote the inputs.
void RuntimeLink::show(StringRef log) const {
  std::string text;
  for (StringRef line : llvm::split(log, '\n')) {
    bool isHidden = (call.hidesWarnings && line.contains("warning")) ||
                    (call.hidesInfos && line.contains("info "));
    if (!isHidden && !line.empty())
      text += fmt::format("{}\n", line);
  }
  if (!text.empty())
    system.console.err(report::printableLines(text));
}

llvm::Error RuntimeLink::read() {
  auto found = readNvlinkInputs(system, call);
  if (!found)
    return found.takeError();
  inputs = std::move(*found);
  for (const NvlinkInput &input : inputs.objects)
    if (hasCodeFor(input, call.arch))
      linked.push_back(&input);
    else if (!call.hidesArchWarning)
      warn("warning", fmt::format("SM Arch ('{}') not found in '{}'", call.arch.str(), input.name));
  if (!call.lto || !hasDeviceCode())
    return llvm::Error::success();
  for (const NvlinkInput *input : linked)
    if (!hasLtoIr(*input))
      warn("info", fmt::format("requested LTO but '{}' not built for LTO so doing partial LTO",
                               input->name));
  call.lto = llvm::any_of(linked, [](const NvlinkInput *input) { return hasLtoIr(*input); });
  if (!call.lto)
    warn("warning", "Ignoring -dlto option because no LTO objects found");
  return llvm::Error::success();
}

std::vector<Finding> RuntimeLink::judge() const {
  policy::LinkQuestion question;
  for (const NvlinkInput *input : linked)
    question.inputs.push_back(linkInputFor(*input, call.arch, call.lto));
  // nvJitLink is what was declared; the driver's linker takes no part here.
  question.needsNvJitLink = true;
  question.emitsPtx = call.emitPtx;
  question.nvJitLink.state = policy::NvJitLinkFacts::State::Known;
  question.nvJitLink.version = linker.version;
  question.nvJitLink.path = linker.library;
  question.nvJitLink.origin = linker.origin;
  auto findings =
      policy::applyMode(declaration.enforce.value, policy::chooseLinker(question).findings);
  findings = policy::applyOverrides(declaration, {}, std::move(findings)).findings;
  llvm::erase_if(findings, [](const Finding &each) { return each.severity == Severity::Remark; });
  return findings;
}

static void addInput(devlink::Job &job, const NvlinkInput &input) {
  job.links.front().inputs.push_back(uint32_t(job.inputs.size()));
  job.inputs.push_back({devlink::JobInputKind::Object, input.name, input.object.bytes});
}

devlink::Job RuntimeLink::job(bool withSystem) const {
  devlink::Job job;
  job.backend = devlink::JobBackend::NvJitLink;
  job.library = linker.library;
  job.expected = {linker.version.major, linker.version.minor};
  devlink::Link &link = job.links.emplace_back();
  link.options.push_back(fmt::format("-arch={}", call.arch.str()));
  if (call.lto)
    link.options.push_back("-lto");
  if (call.lto && call.emitPtx) {
    link.options.push_back("-ptx");
    link.emit = devlink::Emit::Ptx;
  }
  llvm::append_range(link.options, call.options);
  bool saysUsed = llvm::any_of(call.options, [](StringRef option) {
    return option.starts_with("-kernels-used=") || option.starts_with("-variables-used=");
  });
  if (!saysUsed && !call.ignoresReferences && inputs.hasReferences)
    llvm::append_range(link.options, referenceOptions(linked, call.lto));
  for (const NvlinkInput *input : linked)
    addInput(job, *input);
  if (withSystem)
    for (const NvlinkInput &input : inputs.system)
      addInput(job, input);
  return job;
}

llvm::Expected<devlink::LinkResult> RuntimeLink::run(const devlink::Job &job,
                                                     std::string &printed) const {
  auto reply = devlink::runLinker(job, linker.helper, system.runner, printed);
  if (!reply)
    return reply.takeError();
  if (reply->opening != devlink::Opening::Ok || !reply->asExpected || reply->results.empty())
    return makeError(devlink::unusable(job, *reply));
  return std::move(reply->results.front());
}

llvm::Error RuntimeLink::write(const devlink::LinkResult &result, bool withSystem) const {
  if (llvm::Error error = system.files.write(call.output, result.output))
    return error;
  if (call.registerFile.empty())
    return llvm::Error::success();
  std::vector<std::string> modules;
  // An object without code for the architecture registers itself all the same.
  for (const NvlinkInput &input : inputs.objects)
    llvm::append_range(modules, input.object.modules);
  if (withSystem)
    for (const NvlinkInput &input : inputs.system)
      llvm::append_range(modules, input.object.modules);
  return system.files.write(call.registerFile, registerText(modules));
}

llvm::Error RuntimeLink::link() {
  std::string printed;
  devlink::Job asked = job(false);
  auto result = run(asked, printed);
  // nvJitLink would keep all of libcudadevrt; nvlink links it only if something refers to it.
  bool withSystem = result && !result->ok && !inputs.system.empty();
  if (withSystem) {
    asked = job(true);
    result = run(asked, printed);
  }
  if (!result)
    return result.takeError();
  show(printed);
  show(result->infoLog);
  show(result->errorLog);
  if (result->ok)
    return write(*result, withSystem);
  Finding finding = devlink::refusal(asked, *result, "");
  // The whole log was shown.
  llvm::erase_if(finding.facts, [](const Fact &fact) { return fact.label == "log"; });
  finding.addFact("device linker", linker.origin);
  finding.addFix("link with the toolkit's nvlink: device-linker = \"nvlink\"");
  return makeError(std::move(finding));
}

/// Replaces this process by the toolkit's nvlink.
static int runNvlink(pipeline::System &system, pipeline::Reporter &report,
                     const std::string &program, llvm::ArrayRef<StringRef> arguments) {
  if (program.empty())
    return report.failWith(makeError(Code::NoToolkit, "the toolkit has no nvlink"));
  Command command{program, {program}, {}, {}};
  for (StringRef word : arguments)
    command.argv.addBorrowed(word);
  if (llvm::Error error = system.runner.exec(command))
    return report.failWith(std::move(error));
  return 0;
}

static int linkFor(pipeline::System &system, const ToolchainDirectory &directory,
                   llvm::ArrayRef<StringRef> arguments) {
  pipeline::Call caller;
  caller.declaration = directory.declaration;
  Target target;
  target.declared = true;
  pipeline::Reporter report(system, caller, target);
  auto readFile = [&](StringRef path) { return system.files.read(path); };
  auto call = readNvlinkCall(arguments, readFile);
  if (!call)
    return report.failWith(call.takeError());
  if (call->linksNothing)
    return runNvlink(system, report, directory.linker->nvlink, arguments);
  RuntimeLink link(system, directory, std::move(*call));
  if (llvm::Error error = link.read())
    return report.failWith(std::move(error));
  // Links of host code alone come here, too: nvcc links device code whenever it links objects.
  if (!link.hasDeviceCode())
    return runNvlink(system, report, directory.linker->nvlink, arguments);
  Verdict verdict{link.judge()};
  if (verdict.outcome() != Outcome::Accept)
    return report.reject(verdict);
  report.printDiagnostics(verdict.findings);
  if (llvm::Error error = link.link())
    return report.failWith(std::move(error));
  return 0;
}

std::optional<int> nvlink(pipeline::System &system, llvm::ArrayRef<StringRef> argv) {
  if (llvm::sys::path::filename(system.self) != "nvlink")
    return std::nullopt;
  auto place = pipeline::findDirectory(system);
  if (!place)
    return pipeline::failWith(system, place.takeError());
  if (!place->directory || !place->directory->linker)
    return std::nullopt;
  return linkFor(system, *place->directory, argv.drop_front(argv.empty() ? 0 : 1));
}

} // namespace cudacc::commands
