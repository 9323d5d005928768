// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/simulation/Disputes.h"
#include "driver/commands/simulation/Simulation.h"
#include "driver/policy/advice/Installer.h"
#include "driver/resolve/InstalledCuda.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Machine.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;

unsigned majorOf(const EnvironmentSnapshot &snapshot) {
  CudaVersion torch = resolve::lineOfTorch(snapshot.environment);
  return torch.known() ? torch.major : snapshot.report.line.major;
}

Outcome outcomeOf(const Diagnosis &diagnosis) {
  Verdict verdict;
  for (const Finding &finding : diagnosis.judgement.verdict.findings)
    if (finding.code != Code::DriverAbsent)
      verdict.add(finding);
  return verdict.outcome();
}

/// Python's version from the name of its program: `3.11`; empty if the name has none.
static llvm::StringRef versionOf(llvm::StringRef python) {
  return python.consume_front("python") ? python : "";
}

probe::InstalledPackages installedIn(pipeline::System &system,
                                     const EnvironmentSnapshot &snapshot) {
  return {snapshot.environment.sitePackages, ownMachine().name.str(),
          versionOf(snapshot.pythonName).str(), system.files};
}

std::vector<std::string> beforeFor(pipeline::System &system, const EnvironmentSnapshot &snapshot,
                                   const ExaminedFile &subject) {
  if (!snapshot.report.before.empty())
    return snapshot.report.before;
  bool needsTorch = llvm::any_of(subject.facts.needed, tables::isTorchLibrary);
  bool isTorchs = support::parentOf(subject.path).ends_with(tables::torchFolder) &&
                  tables::isTorchLibrary(support::nameOf(subject.path));
  if (needsTorch && !isTorchs && !filesOf(system, snapshot, "torch").empty())
    return {"torch"};
  return {};
}

Diagnosis Simulator::diagnose(const ExaminedFile &subject, llvm::ArrayRef<std::string> before,
                              bool withRemedies) {
  policy::Change none;
  std::vector<std::string> order = before.vec();
  // As users import it: after the frameworks that its metadata requires.
  if (snapshot.report.before.empty() && subject.facts.kind != BinaryKind::Executable)
    for (const std::string &name : packages.preloading(subject.path).frameworks)
      if (!llvm::is_contained(order, name) && !filesOf(system, snapshot, name).empty())
        order.push_back(name);
  Simulation simulation(*this, subject, order, none);
  simulation.run();
  Diagnosis diagnosis = simulation.diagnosis;
  if (withRemedies && outcomeOf(diagnosis) != Outcome::Accept)
    tryRemedies(simulation, subject, diagnosis);
  addCures(snapshot.installed ? snapshot.installed->problems : snapshot.environment.problems,
           diagnosis.judgement.verdict.findings);
  policy::nameInstaller(snapshot.pip, diagnosis.judgement.verdict.findings);
  return diagnosis;
}

} // namespace cudacc::commands
