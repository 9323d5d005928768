// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/simulation/Simulator.h"
#include "driver/policy/rules/Opening.h"
#include "driver/process/ChangedTree.h"
#include "driver/process/Process.h"

namespace cudacc::commands {

/// One simulated process, of this machine as it is or with a change.
class Simulation {
public:
  Simulation(Simulator &simulator, const ExaminedFile &subject, llvm::ArrayRef<std::string> before,
             const policy::Change &change)
      : simulator(simulator), snapshot(simulator.snapshot), subject(subject), before(before.vec()),
        change(change), tree(simulator.disk, snapshot.isCleanMachine) {}

  void run();

  /// Set by run(), except for `remedies`.
  Diagnosis diagnosis;
  policy::ProcessCase process;

private:
  using Process = process::Process;

  Simulator &simulator;
  const EnvironmentSnapshot &snapshot;
  const ExaminedFile &subject;
  std::vector<std::string> before;
  const policy::Change &change;
  process::ChangedTree tree;
  core::BinaryFacts facts;
  core::Target target;
  std::optional<core::Target> installed;
  Process::Outcome outcome;
  /// The loader's error about a missing library of the driver, and its name.
  std::string driverMissing, driverName;
  std::vector<std::string> libraryPath;
  /// What the change installs that was not there, and what packages open first with it.
  std::vector<core::InstalledLibrary> added;
  std::map<std::string, policy::Preloading, std::less<>> preloadings;
  /// Libraries that packages open first and that fail to load, by name.
  std::map<std::string, Process::Outcome> notPreloaded;

  uint16_t machineOfProcess() const;
  bool isOfOtherMachine(llvm::StringRef soname) const;
  void applyChange();
  void changeTorch();
  std::string placeOf(const core::TargetLibrary &row) const;
  std::string keyOf(const std::string &path) const;
  void put(core::TargetLibrary row);
  const policy::Preloading &preloading(llvm::StringRef path);
  void load(Process &process);
  bool openAll(Process &process, llvm::StringRef name);
  void openFirst(Process &process, llvm::ArrayRef<policy::Preloaded> files);
  const Process::Outcome *failureBefore(const Process::Outcome &result,
                                        llvm::ArrayRef<policy::Preloaded> first) const;
  Process::Outcome openAsPackage(Process &process, const PreloadedFile &file);
  bool openBySiblings(Process &process);
  void useFound(Process &process, const policy::UsedLibrary &used);
  void use(Process &process);
  void addOpener(const Process &now, std::vector<core::Finding> &findings);
  Process::Outcome openOne(Process &process, const PreloadedFile &file);
  void note(const Process &process);
  core::LoadedCopy copyOf(const core::LoadStep &step, llvm::StringRef label);
  void findParts(const Process &process);
  std::vector<std::string> lackedBy(llvm::StringRef path, const policy::OpenedPart &part,
                                    llvm::StringRef opener);
  void judgeCouplings();
  void judgeOtherTorch();
  void takeRows();
  policy::StringAbi torchStrings() const;
  void predict();
  void fillCase();
  std::vector<core::Finding> judgeFile(const core::LoadResult &load,
                                       const std::vector<core::LibraryFloor> *floors);
  void addUnknown(std::vector<core::Finding> &findings);
  void sayWhatIsHere(std::vector<core::Finding> &findings);
  void judge(const Process &process);
  void judgeModule();
};

/// The outcome regardless of whether the machine has a driver, which no fix changes.
core::Outcome outcomeOf(const Diagnosis &diagnosis);

} // namespace cudacc::commands
