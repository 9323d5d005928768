// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/link/LinkJob.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

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

} // namespace cudacc::commands
