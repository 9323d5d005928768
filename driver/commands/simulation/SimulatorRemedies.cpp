// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/Declaration.h"
#include "driver/commands/simulation/Simulation.h"
#include "driver/probe/python/Owner.h"

namespace cudacc::commands {

using namespace core;

static bool lacksDriver(const Diagnosis &diagnosis) {
  return llvm::any_of(diagnosis.judgement.verdict.findings,
                      [](const Finding &each) { return each.code == Code::DriverAbsent; });
}

void Simulator::tryRemedies(Simulation &simulation, const Subject &subject, Diagnosis &diagnosis) {
  policy::RemedyContext context;
  context.pip = snapshot.pip;
  context.conda = snapshot.conda;
  context.prefix = snapshot.report.prefix;
  context.name = subject.name;
  context.module = subject.module;
  if (!toolkits)
    toolkits = nearbyToolkits(system);
  context.toolkits = *toolkits;
  context.claimed = snapshot.environment.distributions;
  auto ownerOf = [&](llvm::StringRef path) {
    auto [dist, version] =
        probe::ownerOf(snapshot.environment.sitePackages, disk.plain(path), system.files);
    return policy::Owner{dist, version};
  };
  auto besides = [&](llvm::StringRef folder, llvm::StringRef name) {
    return probe::besides(disk.plain(folder), name, system.files);
  };
  context.ownerOf = ownerOf;
  context.besides = besides;
  policy::advise(simulation.process, context, diagnosis.judgement.verdict.findings);
  llvm::SmallVector<policy::Remedy::Kind, 8> found;
  for (policy::Remedy &remedy : policy::remediesFor(simulation.process, context)) {
    // Only the first of each kind that helps.
    if (llvm::is_contained(found, remedy.kind))
      continue;
    Simulation tried(*this, subject, simulation.process.before, remedy.change);
    tried.run();
    if (outcomeOf(tried.diagnosis) != Outcome::Accept)
      continue;
    bool lacks = lacksDriver(tried.diagnosis);
    remedy.after = lacks ? Outcome::Unknown : Outcome::Accept;
    if (lacks && !lacksDriver(diagnosis))
      remedy.price = "then nothing is left for libcuda.so.1: this machine has no driver";
    if (!remedy.hasOther)
      found.push_back(remedy.kind);
    diagnosis.remedies.push_back(std::move(remedy));
  }
}

} // namespace cudacc::commands
