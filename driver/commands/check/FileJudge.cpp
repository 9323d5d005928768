// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/check/FileJudge.h"
#include "driver/pipeline/Found.h"
#include "driver/policy/advice/Installer.h"
#include "driver/policy/advice/Overrides.h"
#include "driver/policy/rules/JudgeManifest.h"
#include "driver/probe/python/Pip.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;

FileJudge::FileJudge(pipeline::System &system, const JudgeArguments &arguments,
                     const Declaration &declaration, const Inputs &inputs,
                     llvm::ArrayRef<ReadFile> files, const binary::ReadOptions &options,
                     bool wantsFixes)
    : system(system), arguments(arguments), declaration(declaration),
      used(declaration.waive.size()), inputs(inputs), files(files), options(options),
      wantsFixes(wantsFixes), torchTables(system, declaration.facts),
      beside(system, torchTables, inputs, files),
      environments(system, inputs, files, arguments.before, arguments.asHere) {
  for (size_t i = 0; i != files.size(); ++i)
    known.push_back(std::make_unique<Known>());
}

std::vector<Unit> FileJudge::units() const {
  std::vector<std::string> names;
  std::vector<size_t> indices;
  for (size_t i = 0; i != files.size(); ++i)
    if (files[i].state == ReadFile::State::Read && !inputs.files[i].named) {
      names.push_back(inputs.files[i].name);
      indices.push_back(i);
    }
  std::vector<std::optional<policy::Alternatives>> groupAt(files.size());
  std::vector<bool> grouped(files.size());
  for (policy::Alternatives &group : policy::alternativesAmong(names)) {
    for (size_t &file : group.files)
      grouped[file = indices[file]] = true;
    size_t first = *llvm::min_element(group.files);
    groupAt[first] = std::move(group);
  }
  std::vector<Unit> units;
  for (size_t i = 0; i != files.size(); ++i) {
    bool counts =
        files[i].state == ReadFile::State::Read || files[i].state == ReadFile::State::Failed;
    if (counts && (!grouped[i] || groupAt[i]))
      units.push_back({i, std::move(groupAt[i])});
  }
  return units;
}

const std::vector<FoundToolkit> &FileJudge::toolkitsHere() {
  std::call_once(searched, [&] { nearby = nearbyToolkits(system); });
  return nearby;
}

const BinaryFacts *FileJudge::opened(size_t file) {
  Known &about = *known[file];
  std::call_once(about.inflated, [&] {
    binary::ReadOptions inflating = options;
    inflating.inflate = true;
    ReadFile read = readInput(system, nullptr, inputs, inputs.files[file], inflating);
    about.isOpened = read.state == ReadFile::State::Read;
    about.opened = std::move(read.facts);
  });
  return about.isOpened ? &about.opened : nullptr;
}

/// Whether compressed cubins leave the verdict on a declared GPU open (F10).
static bool needsOpening(const Target &target, llvm::ArrayRef<Finding> findings) {
  return !target.gpus.empty() && llvm::any_of(findings, [](const Finding &finding) {
    return finding.code == Code::LimitReached && finding.severity == Severity::Error;
  });
}

/// Whether the file is loaded and the runtime is an environment, so that everything is known. A
/// file for another machine than the environment's is in none of its processes.
bool FileJudge::isLoadedThere(size_t file, const Runtime &runtime) const {
  const BinaryFacts &facts = files[file].facts;
  const Target &target = runtime.target;
  bool isLoaded = facts.kind == BinaryKind::SharedObject || facts.kind == BinaryKind::Executable;
  bool isOther = target.machine && facts.machine != target.machine;
  return isLoaded && !isOther && facts.notAudited.empty() && !runtime.environment.empty() &&
         target.isInstalled() && !inputs.files[file].places.empty();
}

void FileJudge::judgeInEnvironment(size_t file, const Runtime &runtime, Judgement &judgement) {
  auto diagnosis = environments.judge(file, files[file].facts, runtime);
  if (diagnosis && !options.deep &&
      needsOpening(runtime.target, diagnosis->judgement.verdict.findings))
    if (const BinaryFacts *more = opened(file))
      diagnosis = environments.judge(file, *more, runtime);
  if (!diagnosis)
    return judgement.verdict.add(toFinding(diagnosis.takeError()));
  judgement.floor = std::move(diagnosis->judgement.floor);
  judgement.torch = beside.torchOf(file, [](llvm::StringRef) { return Exported::Unknown; });
  std::vector<Finding> findings = std::move(diagnosis->judgement.verdict.findings);
  auto decisive =
      llvm::find_if(findings, [](const Finding &each) { return each.severity == Severity::Error; });
  if (decisive != findings.end()) {
    std::vector<std::string> fixes, ofBuilders;
    for (const policy::Remedy &remedy : diagnosis->remedies) {
      bool isBuilders = remedy.kind == policy::Remedy::Kind::Rebuild ||
                        remedy.kind == policy::Remedy::Kind::Relink;
      (isBuilders ? ofBuilders : fixes).push_back(asFix(remedy));
    }
    // Tried fixes come first, rebuilding last: users who installed a file do not build it.
    std::swap(decisive->fixes, fixes);
    llvm::append_range(decisive->fixes, fixes);
    llvm::append_range(decisive->fixes, ofBuilders);
  }
  addFindings(file, std::move(findings), judgement);
}

std::optional<LoadResult> FileJudge::load(size_t file, const Runtime &runtime) {
  if (!isLoadedThere(file, runtime))
    return beside.load(file, runtime.target);
  auto diagnosis = llvm::expectedToOptional(environments.judge(file, files[file].facts, runtime));
  return diagnosis ? std::optional(std::move(diagnosis->load)) : std::nullopt;
}

void FileJudge::judgeBesideTables(size_t file, const Runtime &runtime, Judgement &judgement) {
  judgement.floor = beside.floorsOf(file, runtime.target.line.major);
  auto around = [&] { return toolkitsHere(); };
  // A matrix shows no fixes.
  policy::LookAround lookAround = wantsFixes ? policy::LookAround(around) : nullptr;
  std::vector<Finding> findings = beside.judge(file, files[file].facts, runtime, lookAround);
  if (!options.deep && needsOpening(runtime.target, findings))
    if (const BinaryFacts *more = opened(file))
      findings = beside.judge(file, *more, runtime, lookAround);
  judgement.torch = beside.torchOf(file);
  addFindings(file, std::move(findings), judgement);
}

void FileJudge::judgeFile(size_t file, const Runtime &runtime, Judgement &judgement) {
  if (isLoadedThere(file, runtime))
    judgeInEnvironment(file, runtime, judgement);
  else
    judgeBesideTables(file, runtime, judgement);
}

/// None is named for the runtime, so it is not known which one the package loads. If each of them
/// is rejected, that does not matter: the findings are those of the newest one.
void FileJudge::judgeAlternatives(const policy::Alternatives &group, const Runtime &runtime,
                                  Judgement &judgement) {
  Judgement newest;
  bool isRejected = true;
  for (size_t file : group.newestFirst()) {
    Judgement each;
    if (isRejected && files[file].state == ReadFile::State::Read)
      judgeFile(file, runtime, each);
    isRejected &= each.verdict.outcome() == Outcome::Reject;
    if (newest.verdict.findings.empty())
      newest = std::move(each);
  }
  if (!isRejected)
    return judgement.verdict.add(group.noneFor(runtime.target.line));
  judgement.verdict = std::move(newest.verdict);
  judgement.floor = std::move(newest.floor);
  judgement.torch = std::move(newest.torch);
}

void FileJudge::addFindings(size_t file, std::vector<Finding> findings, Judgement &judgement) {
  const std::string &site = inputs.files[file].sitePackages;
  if (!site.empty() && policy::namesInstaller(findings))
    policy::nameInstaller(probe::pipInstallBeside(site, system.files), findings);
  if (arguments.requireManifest)
    if (auto finding = policy::judgeLinkRecord(files[file].facts))
      findings.push_back(std::move(*finding));
  for (Finding &finding : findings)
    if (arguments.only == "cuda" &&
        (finding.code == Code::NotCudas || finding.code == Code::TorchLacks ||
         finding.code == Code::TorchStrings))
      finding.severity = Severity::Remark;
  auto applied = policy::applyOverrides(declaration, inputs.files[file].name, std::move(findings));
  judgement.verdict.append(std::move(applied.findings));
  judgement.verdict.append(std::move(applied.waived));
  for (size_t i : applied.used)
    used[i] = true;
}

std::vector<Finding> FileJudge::unusedWaivers() const {
  std::vector<Finding> findings;
  for (size_t i = 0; i != used.size(); ++i) {
    if (used[i])
      continue;
    const Setting<Waiver> &waiver = declaration.waive[i];
    findings.push_back(
        makeFinding(Code::WaiverUnused, "a waiver that nothing matched",
                    {{"waiver", waiver.value.str()}, {"where", waiver.origin.str()}}));
  }
  return findings;
}

std::optional<size_t> FileJudge::fileOf(const Unit &unit, const Runtime &runtime) const {
  return unit.alternatives ? unit.alternatives->fileFor(runtime.target.line)
                           : std::optional(unit.file);
}

Judgement FileJudge::judge(const Unit &unit, const Runtime &runtime) {
  Judgement judgement;
  judgement.runtime = runtime.name;
  judgement.line = runtime.target.line;
  judgement.path = inputs.files[unit.file].name;
  std::optional<size_t> file = fileOf(unit, runtime);
  if (unit.alternatives) {
    for (size_t each : unit.alternatives->files)
      judgement.alternatives.push_back(inputs.files[each].name);
    judgement.path = file ? inputs.files[*file].name : unit.alternatives->pattern;
  }
  if (runtime.problem)
    judgement.verdict.add(*runtime.problem);
  else if (!file)
    judgeAlternatives(*unit.alternatives, runtime, judgement);
  else if (files[*file].state == ReadFile::State::Failed)
    judgement.verdict.add(files[*file].problem);
  else
    judgeFile(*file, runtime, judgement);
  return judgement;
}

} // namespace cudacc::commands
