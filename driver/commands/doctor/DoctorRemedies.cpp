#include "driver/commands/simulation/Trial.h"
#include "driver/probe/python/Owner.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::commands {

using namespace core;

static bool lacksDriver(const Diagnosis &diagnosis) {
  return llvm::any_of(diagnosis.judgement.verdict.findings,
                      [](const Finding &each) { return each.code == Code::DriverAbsent; });
}

void Trials::tryRemedies(Trial &trial, const Subject &subject, Diagnosis &diagnosis) {
  policy::Bench bench;
  bench.pip = scene.pip;
  bench.conda = scene.conda;
  bench.prefix = scene.report.prefix;
  bench.name = subject.name;
  bench.module = subject.module;
  bench.toolkits = nearby();
  bench.claimed = scene.environment.distributions;
  auto ownerOf = [&](llvm::StringRef path) {
    auto [dist, version] =
        probe::ownerOf(scene.environment.sitePackages, shelf.plain(path), system.files);
    return policy::Owner{dist, version};
  };
  auto besides = [&](llvm::StringRef folder, llvm::StringRef name) {
    return probe::besides(shelf.plain(folder), name, system.files);
  };
  bench.ownerOf = ownerOf;
  bench.besides = besides;
  policy::advise(trial.process, bench, diagnosis.judgement.verdict.findings);
  llvm::SmallVector<policy::Remedy::Kind, 8> found;
  for (policy::Remedy &remedy : policy::remediesFor(trial.process, bench)) {
    // Of each kind the first that leads out.
    if (llvm::is_contained(found, remedy.kind))
      continue;
    Trial tried(*this, subject, trial.process.before, remedy.change);
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
