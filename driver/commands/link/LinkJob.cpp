// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/WorkFolder.h"
#include "driver/commands/link/LinkReport.h"
#include "driver/core/Diagnostic.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "llvm/Support/Path.h"

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;
using versions::CudaVersion;

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

} // namespace cudacc::commands
