// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/Declaration.h"
#include "driver/commands/simulation/Simulation.h"
#include "driver/pipeline/Found.h"
#include "driver/pipeline/JudgeFile.h"
#include "driver/policy/rules/JudgeBinary.h"
#include "driver/probe/python/Record.h"
#include "driver/process/TableTree.h"
#include "driver/resolve/Resolve.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Torch.h"

namespace cudacc::commands {

using namespace core;

static bool lacksDriver(const Diagnosis &diagnosis) {
  return llvm::any_of(diagnosis.judgement.verdict.findings,
                      [](const Finding &each) { return each.code == Code::DriverAbsent; });
}

/// Whether the tables accept the file after another release of torch. A simulated process cannot
/// load torch's own libraries of that release: only their names are known.
bool Simulator::isAcceptedWith(const std::string &torch, const ExaminedFile &subject) {
  Declaration declaration;
  declaration.runtime.push_back({"torch==" + torch, {Origin::Kind::Option, "doctor"}});
  auto target = llvm::expectedToOptional(resolve::resolve(declaration, nullptr));
  if (!target)
    return false;
  target->declared = true;
  target->declaredAs = declaration.runtime;
  target->enforce = Enforce::Symbols;
  process::TableTree tree(*target, subject.facts.machine, 0);
  policy::FileCase judged;
  judged.facts = &subject.facts;
  judged.target = &*target;
  judged.exports = &tree;
  judged.afterTorch = true;
  return policy::areAccepted(pipeline::judgeFile(system, torchTables, disk, judged,
                                                 pipeline::FilePlace(),
                                                 [] { return std::vector<FoundToolkit>(); }));
}

void Simulator::tryRemedies(Simulation &simulation, const ExaminedFile &subject,
                            Diagnosis &diagnosis) {
  policy::RemedyContext context;
  context.pip = snapshot.pip;
  context.conda = snapshot.conda;
  context.prefix = snapshot.report.prefix;
  context.name = subject.name;
  context.module = subject.module;
  if (!toolkits)
    toolkits = nearbyToolkits(system);
  std::vector<FoundToolkit> serving = *toolkits;
  llvm::erase_if(serving, [&](const FoundToolkit &each) {
    return !policy::buildsFor(each, subject.facts.machine);
  });
  context.toolkits = serving;
  context.claimed = snapshot.environment.distributions;
  auto ownerOf = [&](llvm::StringRef path) {
    auto recorded = disk.records().findIn(snapshot.environment.sitePackages, disk.plain(path));
    return recorded ? policy::Owner{recorded->dist, recorded->version} : policy::Owner();
  };
  auto besides = [&](llvm::StringRef folder, llvm::StringRef name) {
    return probe::besides(disk.plain(folder), name, system.files);
  };
  context.ownerOf = ownerOf;
  context.besides = besides;
  policy::advise(simulation.process, context, diagnosis.judgement.verdict.findings);
  // Torch's own files are those of the other release then.
  bool isTorchs = tables::isTorchLibrary(support::nameOf(subject.path));
  llvm::ArrayRef<std::string> before = simulation.process.before;
  bool isAfterTorch = !isTorchs && (policy::mayUseTorch(subject.facts) ||
                                    (before.size() == 1 && before.front() == "torch"));
  llvm::SmallVector<policy::Remedy::Kind, 8> found;
  for (policy::Remedy &remedy : policy::remediesFor(simulation.process, context)) {
    // Only the first of each kind that helps.
    if (llvm::is_contained(found, remedy.kind))
      continue;
    if (!remedy.change.torch.empty() && isAfterTorch) {
      if (!isAcceptedWith(remedy.change.torch, subject))
        continue;
      remedy.after = Outcome::Accept;
      found.push_back(remedy.kind);
      diagnosis.remedies.push_back(std::move(remedy));
      continue;
    }
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
