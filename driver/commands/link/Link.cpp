// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/Declaration.h"
#include "driver/commands/Page.h"
#include "driver/commands/Subcommands.h"
#include "driver/commands/link/LinkReport.h"
#include "driver/probe/toolkit/LinkHelper.h"
#include "driver/report/json/Json.h"
#include "driver/report/text/Layout.h"
#include "driver/report/text/Text.h"
#include "driver/resolve/Resolve.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "plugins/devlink/RunLinker.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;
using llvm::StringRef;

namespace {

/// The stages of one call of `link`.
class DeviceLink {
public:
  DeviceLink(pipeline::System &system, const LinkArguments &arguments)
      : system(system), arguments(arguments) {}
  llvm::Expected<int> run();

private:
  pipeline::System &system;
  const LinkArguments &arguments;
  Declaration declaration;
  std::optional<Target> target;
  LinkOutcome outcome;

  const Target *declared() const { return target ? &*target : nullptr; }
  llvm::Error readRuntime();
  void readInputs();
  void chooseArchs();
  void selectImages();
  void choose();
  llvm::Error link();
  llvm::Error linkWith(policy::LinkBackend backend, bool &again);
  bool updateFacts(policy::LinkBackend backend, const devlink::Reply &reply);
  void takeResults(policy::LinkBackend backend, const devlink::Job &job, devlink::Reply &reply,
                   llvm::ArrayRef<ArchLink *> links);
  void judge();
  llvm::Error write();
  bool isReplaced(const std::string &path) const;
  llvm::Error checkOutput(const std::string &path) const;
  llvm::Error writeFile(const std::string &path, StringRef bytes, std::vector<Arch> archs);
  bool failed() const;
  std::vector<Finding> printedFindings() const;
  int exit() const;
  int report();
};

} // namespace

bool DeviceLink::failed() const {
  return llvm::any_of(outcome.findings,
                      [](const Finding &each) { return each.severity == Severity::Error; });
}

/// A runtime in a configuration file counts, too.
llvm::Error DeviceLink::readRuntime() {
  Arguments own = arguments;
  own.own = withRuntime(arguments);
  if (llvm::Error error = readDeclaration(system, own).moveInto(declaration))
    return error;
  for (size_t i = 0; i < arguments.runtime.size(); ++i)
    declaration.runtime[i].origin.name = "--for";
  if (!declaration.declared())
    return llvm::Error::success();
  // A driver or GPUs alone: what links for a machine needs no runtime.
  auto machines = resolve::resolveMachines(declaration);
  if (!machines)
    return machines.takeError();
  if (*machines) {
    target = std::move(**machines);
    return llvm::Error::success();
  }
  if (llvm::Error error = resolveOnce(system, declaration).moveInto(target))
    return error;
  return llvm::Error::success();
}

void DeviceLink::readInputs() {
  for (const std::string &path : outcome.request.inputs) {
    auto inputs = readDeviceInputs(system, path);
    if (!inputs) {
      outcome.findings.push_back(toFinding(inputs.takeError()));
      continue;
    }
    std::move(inputs->begin(), inputs->end(), std::back_inserter(outcome.inputs));
  }
}

/// Those of the command line, else the declared GPUs, else what all inputs have machine code, PTX
/// or LTO-IR for.
void DeviceLink::chooseArchs() {
  std::vector<Arch> archs = outcome.request.archs;
  if (archs.empty() && target)
    archs = target->gpus;
  if (archs.empty())
    archs = commonArchs(outcome.inputs);
  // Which input has nothing for it is said by selectImages().
  if (auto oldest = oldestArch(outcome.inputs); archs.empty() && oldest)
    archs = {*oldest};
  if (archs.empty()) {
    outcome.findings.push_back(
        toFinding(usageError("no input names an architecture: add --arch sm_XX")));
    return;
  }
  if (llvm::Error error = setArchs(outcome.request, std::move(archs))) {
    outcome.findings.push_back(toFinding(std::move(error)));
    return;
  }
  outcome.request.output = outputOf(outcome.request);
  for (Arch arch : outcome.request.archs) {
    ArchLink link;
    link.arch = arch;
    outcome.links.push_back(std::move(link));
  }
}

void DeviceLink::selectImages() {
  for (ArchLink &link : outcome.links) {
    for (const DeviceInput &input : outcome.inputs)
      if (auto fact = linkInputFor(input, link.arch, outcome.request.lto))
        link.inputs.push_back(std::move(*fact));
      else
        outcome.findings.push_back(uncovered(input, link.arch));
    link.lto = outcome.request.lto || llvm::any_of(link.inputs, [](const policy::LinkImage &each) {
                 return each.kind == policy::Artifact::LtoIr;
               });
  }
}

void DeviceLink::choose() {
  for (ArchLink &link : outcome.links)
    link.choice = policy::chooseLinker(questionOf(outcome, link));
}

/// Replaces what the files said of a library by what it says itself. Returns false if it agrees.
bool DeviceLink::updateFacts(policy::LinkBackend backend, const devlink::Reply &reply) {
  CudaVersion version{reply.version.major, reply.version.minor};
  if (backend == policy::LinkBackend::Driver) {
    bool differs = !reply.asExpected;
    if (differs)
      outcome.linkers.driver.cuda = version;
    return differs;
  }
  policy::NvJitLinkFacts &facts = outcome.linkers.nvJitLink;
  using State = policy::NvJitLinkFacts::State;
  facts.reason = reply.failure;
  switch (reply.opening) {
  case devlink::Opening::Ok:
    if (reply.asExpected)
      return false;
    facts.version = version;
    return true;
  case devlink::Opening::TooOld:
    facts.state = State::TooOld;
    return true;
  case devlink::Opening::Conflict:
    facts.state = State::Conflict;
    return true;
  case devlink::Opening::NotOpened:
  case devlink::Opening::NoVersion:
  case devlink::Opening::NoEntryPoints:
  case devlink::Opening::NoContext:
    facts.state = State::Failed;
    return true;
  }
  return false;
}

void DeviceLink::takeResults(policy::LinkBackend backend, const devlink::Job &job,
                             devlink::Reply &reply, llvm::ArrayRef<ArchLink *> links) {
  for (size_t i = 0; i != links.size() && i != reply.results.size(); ++i) {
    links[i]->result = std::move(reply.results[i]);
    links[i]->linker = {reply.version.major, reply.version.minor};
    if (!links[i]->result.ok)
      outcome.findings.push_back(linkFailed(outcome, *links[i], backend));
  }
  outcome.packed = std::move(reply.fatbin);
  if (!job.packer.empty() && outcome.packed.empty() && !failed())
    outcome.findings.push_back(packFailed(job.packer, reply.fatbinFailure));
}

llvm::Error DeviceLink::linkWith(policy::LinkBackend backend, bool &again) {
  std::vector<ArchLink *> links;
  for (ArchLink &link : outcome.links)
    if (link.choice.backend == backend && !link.result.ok)
      links.push_back(&link);
  if (links.empty())
    return llvm::Error::success();
  devlink::Job job = jobFor(outcome, backend, links);
  auto reply =
      devlink::runLinker(job, probe::linkHelperOf(system.self), system.runner, outcome.printed);
  if (!reply)
    return reply.takeError();
  outcome.openMicroseconds += reply->openMicroseconds;
  again |= updateFacts(backend, *reply);
  if (again)
    return llvm::Error::success();
  if (reply->opening != devlink::Opening::Ok) {
    outcome.findings.push_back(driverFailed(outcome, *links.front(), reply->failure));
    return llvm::Error::success();
  }
  takeResults(backend, job, *reply, links);
  return llvm::Error::success();
}

/// The decision rests on what files say. If a library says otherwise, it is taken again; each can
/// do so once.
llvm::Error DeviceLink::link() {
  for (int attempt = 0; attempt != 3; ++attempt) {
    choose();
    bool refused =
        llvm::any_of(outcome.links, [](const ArchLink &link) { return !link.choice.backend; });
    if (refused)
      break;
    bool again = false;
    for (auto backend : {policy::LinkBackend::NvJitLink, policy::LinkBackend::Driver})
      if (!again)
        if (llvm::Error error = linkWith(backend, again))
          return error;
    if (!again)
      break;
  }
  for (const ArchLink &link : outcome.links)
    addDistinct(outcome.findings, link.choice.findings);
  return llvm::Error::success();
}

void DeviceLink::judge() {
  for (const ArchLink &link : outcome.links)
    addDistinct(outcome.findings, judgeLinked(outcome, link, declaration, declared()));
}

/// A link does not replace what it was made of, and what is written is written whole.
llvm::Error DeviceLink::checkOutput(const std::string &path) const {
  FileStatus output = path == "-" ? FileStatus() : system.files.stat(path);
  for (const std::string &input : outcome.request.inputs) {
    if (input == "-" || !output.exists())
      continue;
    FileId id = system.files.stat(input).id;
    if (id.device == output.id.device && id.inode == output.id.inode)
      return makeError(Code::Usage, fmt::format("the output {} is also an input", path), {},
                       {"name another output: -o FILE"});
  }
  if (!isReplaced(path))
    return llvm::Error::success();
  if (system.files.stat(path).kind == FileStatus::Kind::Directory)
    return makeError(Code::CannotWrite, fmt::format("cannot write {}: it is a directory", path));
  // As compilers do: a directory that does not exist is a mistake in the command.
  StringRef folder = support::parentOf(path);
  if (!folder.empty() && system.files.stat(folder).kind != FileStatus::Kind::Directory)
    return makeError(Code::CannotWrite,
                     fmt::format("cannot write {}: {} is no directory", path, folder));
  return checkWritable(system, path);
}

/// A pipe and /dev/null are written to, not replaced.
bool DeviceLink::isReplaced(const std::string &path) const {
  return path != "-" && system.files.stat(path).kind != FileStatus::Kind::Other;
}

llvm::Error DeviceLink::writeFile(const std::string &path, StringRef bytes,
                                  std::vector<Arch> archs) {
  if (path == "-")
    system.console.out(bytes);
  else if (llvm::Error error = isReplaced(path) ? system.files.write(path, bytes)
                                                : system.files.append(path, bytes))
    return error;
  outcome.outputs.push_back({path, std::move(archs), bytes.size()});
  return llvm::Error::success();
}

llvm::Error DeviceLink::write() {
  const std::string &path = outcome.request.output;
  if (outcome.request.emit != LinkEmit::Fatbin)
    return writeFile(path, outcome.links.front().result.output, {outcome.links.front().arch});
  auto packed = packFatbin(system, outcome);
  if (!packed)
    return packed.takeError();
  std::vector<Arch> archs;
  for (const ArchLink &link : outcome.links)
    archs.push_back(link.arch);
  if (!packed->empty())
    return writeFile(path, *packed, std::move(archs));
  if (!isReplaced(path))
    return makeError(Code::CannotWrite, fmt::format("cannot write several cubins to {}", path),
                     {{"because", "neither nvFatbin nor fatbinary was found to pack them"}},
                     {"pip install nvidia-nvfatbin, and --for env:PATH", "link for one --arch"});
  for (const ArchLink &link : outcome.links)
    if (llvm::Error error = checkOutput(pathForArch(path, link.arch)))
      return error;
  for (const ArchLink &link : outcome.links)
    if (llvm::Error error =
            writeFile(pathForArch(path, link.arch), link.result.output, {link.arch})) {
      for (const WrittenFile &output : outcome.outputs)
        system.files.remove(output.path);
      return error;
    }
  return llvm::Error::success();
}

int DeviceLink::report() {
  report::Style style = pipeline::errStyle(system);
  if (!arguments.json) {
    // What the libraries wrote may quote the inputs.
    for (const ArchLink &link : outcome.links)
      system.console.err(logsOf(link));
    system.console.err(report::printableLines(outcome.printed));
    system.console.err(report::text(printedFindings(), style));
    if (outcome.request.explains)
      system.console.err(linkExplanation(outcome));
    if (outcome.request.times)
      system.console.err(linkTimes(outcome));
  } else {
    system.console.out(report::print(linkJson(outcome)));
  }
  return exit();
}

/// A build machine has no driver, and that is said on request only.
std::vector<Finding> DeviceLink::printedFindings() const {
  std::vector<Finding> printed = outcome.findings;
  if (!outcome.request.explains)
    llvm::erase_if(printed, [](const Finding &each) {
      return each.code == Code::DriverAbsent && each.severity == Severity::Remark;
    });
  return printed;
}

/// What cannot be linked at all is an error of usage, whatever else was found.
int DeviceLink::exit() const {
  for (const Finding &each : outcome.findings)
    if (each.severity == Severity::Error && info(each.code).codeClass == CodeClass::Usage)
      return int(Exit::Usage);
  return int(Verdict{outcome.findings}.exit(declaration.strict.value));
}

llvm::Expected<int> DeviceLink::run() {
  auto request = readLinkRequest(arguments);
  if (!request)
    return request.takeError();
  outcome.request = std::move(*request);
  if (arguments.json && outcome.request.output == "-")
    return usageError("--format=json and -o - both write to stdout");
  if (llvm::Error error = readRuntime())
    return error;
  readInputs();
  if (!failed())
    chooseArchs();
  if (!failed())
    selectImages();
  if (failed())
    return report();
  if (llvm::Error error = checkOutput(outcome.request.output))
    return error;
  outcome.linkers = findLinkers(system, declaration, declared(), arguments.directory);
  if (llvm::Error error = link())
    return error;
  if (!failed())
    judge();
  // Another linker may have been chosen.
  if (llvm::Error error = pipeline::failedSearch(system))
    return error;
  if (!failed())
    if (llvm::Error error = write())
      return error;
  return report();
}

static llvm::Expected<int> link(pipeline::System &system, const LinkArguments &arguments) {
  return DeviceLink(system, arguments).run();
}

static constexpr Option<LinkArguments> linkOptions[] = {
    {"--format", &LinkArguments::format, "text json"},
    {"--for", &LinkArguments::runtime, "REQ"},
    {"-o", keptValue, "PATH"},
    {"--output", keptValue, "PATH"},
    {"--arch", keptValue, "SM"},
    {"--lto", keptFlag},
    {"--emit", keptValue, "cubin ptx ltoir fatbin"},
    {"--backend", keptValue, "auto nvjitlink driver"},
    {"--policy", keptValue, "direction-aware cuda-core-1911"},
    {"--explain", keptFlag},
    {"--time", keptFlag},
    {"-g", keptFlag},
    {"--lineinfo", keptFlag},
    {"--verbose", keptFlag},
    {"--maxrregcount", keptValue},
    {"--optimize", keptValue, "0 3"},
    {"--ptxas-options", keptValue},
    {"--split-compile", keptValue},
    {"--split-compile-extended", keptValue},
    {"--kernels-used", keptValue},
    {"--variables-used", keptValue},
    {"--optimize-unused-variables", keptFlag},
    {"--ftz", keptValue, "true false"},
    {"--prec-div", keptValue, "true false"},
    {"--prec-sqrt", keptValue, "true false"},
    {"--fmad", keptValue, "true false"},
};

constexpr SubcommandBody linkSubcommand = bodyOf<linkOptions, link>();

} // namespace cudacc::commands
