// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/check/FileJudge.h"
#include "driver/commands/inputs/WheelPackage.h"
#include "driver/pipeline/Definitions.h"
#include "driver/pipeline/PythonFolder.h"
#include "driver/policy/advice/Overrides.h"
#include "driver/policy/rules/JudgeBinary.h"
#include "driver/policy/rules/JudgeDependencies.h"
#include "driver/policy/rules/Preloading.h"
#include "driver/probe/python/Owner.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;

FileJudge::FileJudge(pipeline::System &system, const Arguments &arguments,
                     const Declaration &declaration, const Inputs &inputs,
                     llvm::ArrayRef<ReadFile> files, const binary::ReadOptions &options,
                     bool wantsFixes)
    : system(system), arguments(arguments), declaration(declaration),
      used(declaration.waive.size()), inputs(inputs), files(files), options(options),
      wantsFixes(wantsFixes), torchTables(system, declaration.facts), disk(system),
      loading(system, disk, inputs, files), loadHere(system, disk),
      environments(system, inputs, files, arguments.before) {
  for (unsigned i = 0; i != pipeline::threadsFor(files.size()); ++i)
    installed.push_back(std::make_unique<pipeline::Installed>(system.files));
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

/// If the file determines its CUDA major, its floors are the same for every runtime.
std::vector<LibraryFloor> FileJudge::floorsOf(size_t file, unsigned major) {
  Known &about = *known[file];
  const BinaryFacts &facts = files[file].facts;
  std::call_once(about.floors, [&] {
    about.major = policy::majorOf(facts);
    if (about.major)
      about.rows = policy::floorsOf(facts, about.major);
  });
  return about.major ? about.rows : policy::floorsOf(facts, major);
}

/// Computed once: what a neighbour defines for one runtime it defines for all.
const TorchRange &FileJudge::torchOf(size_t file, policy::DefinedBeside beside) {
  Known &about = *known[file];
  const BinaryFacts &facts = files[file].facts;
  std::call_once(about.ranged, [&] {
    if (!policy::mayUseTorch(facts))
      return;
    if (const tables::TorchNames *table = torchTables().names)
      about.torch =
          policy::torchRangeOf(policy::torchImports(facts, table), *table, facts.machine, beside);
  });
  return about.torch;
}

const BinaryFacts *FileJudge::opened(size_t file) {
  Known &about = *known[file];
  std::call_once(about.inflated, [&] {
    binary::ReadOptions inflating = options;
    inflating.inflate = true;
    ReadFile read = readInput(system, inputs, inputs.files[file], inflating);
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

/// The fix as text that can be pasted.
static std::string fixOf(const policy::Remedy &remedy) {
  return remedy.commands.empty() ? remedy.text : llvm::join(remedy.commands, " && ");
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
  judgement.torch = torchOf(file, [](llvm::StringRef) { return Exported::Unknown; });
  std::vector<Finding> findings = std::move(diagnosis->judgement.verdict.findings);
  auto decisive =
      llvm::find_if(findings, [](const Finding &each) { return each.severity == Severity::Error; });
  if (decisive != findings.end()) {
    std::vector<std::string> fixes, ofBuilders;
    for (const policy::Remedy &remedy : diagnosis->remedies) {
      bool isBuilders = remedy.kind == policy::Remedy::Kind::Rebuild ||
                        remedy.kind == policy::Remedy::Kind::Relink;
      (isBuilders ? ofBuilders : fixes).push_back(fixOf(remedy));
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
    return loading.load(file, runtime.target);
  auto diagnosis = environments.judge(file, files[file].facts, runtime);
  if (diagnosis)
    return std::move(diagnosis->load);
  llvm::consumeError(diagnosis.takeError());
  return std::nullopt;
}

/// Path at which the loader found a library of that name, or else at which the package has it.
std::optional<std::string> FileJudge::pathIn(const std::optional<LoadResult> &load, size_t file,
                                             llvm::StringRef name) const {
  if (load)
    for (const LoadStep &step : load->steps)
      if (step.name == name)
        return step.path;
  return loading.placeOf(file, name);
}

void FileJudge::judgeFile(size_t file, const Runtime &runtime, unsigned thread,
                          Judgement &judgement) {
  if (isLoadedThere(file, runtime))
    return judgeInEnvironment(file, runtime, judgement);
  judgement.floor = floorsOf(file, runtime.target.line.major);
  std::vector<Finding> findings = judgeByTables(file, runtime, thread, false);
  judgement.torch = known[file]->torch;
  addFindings(file, std::move(findings), judgement);
}

std::vector<Finding> FileJudge::judgeUnder(size_t file, const Target &target, unsigned thread) {
  std::string name;
  for (const Setting<std::string> &each : target.declaredAs)
    name += fmt::format("{};", each.value);
  const Runtime *other = nullptr;
  {
    std::lock_guard lock(triedMutex);
    if (auto found = tried.find({file, name}); found != tried.end())
      return found->second;
    std::unique_ptr<Runtime> &slot = others[name];
    if (!slot) {
      slot = std::make_unique<Runtime>();
      slot->name = name;
      slot->target = target;
    }
    other = slot.get();
  }
  std::vector<Finding> findings = judgeByTables(file, *other, thread, true);
  std::lock_guard lock(triedMutex);
  return tried[{file, name}] = std::move(findings);
}

/// Whether the library is the runtime's torch; a wheel of torch itself contains its libraries.
bool FileJudge::isOfRuntime(size_t file, const std::optional<LoadResult> &load,
                            llvm::StringRef name) const {
  std::optional<std::string> path = pathIn(load, file, name);
  return tables::isTorchLibrary(name) && !(path && loading.fileAt(file, *path));
}

std::vector<Finding> FileJudge::judgeByTables(size_t file, const Runtime &runtime, unsigned thread,
                                              bool skipFixes) {
  std::optional<LoadResult> load = loading.load(file, runtime.target);
  std::vector<Finding> findings = judgeAlone(file, runtime, thread, skipFixes, load);
  if (!load)
    return findings;
  for (Finding &finding : judgeDependencies(file, runtime, thread, *load))
    if (llvm::none_of(findings, [&](const Finding &each) {
          return each.code == finding.code && each.library == finding.library &&
                 each.symbol == finding.symbol;
        }))
      findings.push_back(std::move(finding));
  auto isAboutIt = [&](const Finding &each) { return policy::isForWantOf(each, load->missing); };
  if (load->missing.empty() || llvm::none_of(findings, isAboutIt))
    return findings;
  if (auto opener = loading.opensItself(file, runtime.target, *load)) {
    llvm::erase_if(findings, isAboutIt);
    findings.insert(findings.begin(), std::move(*opener));
  }
  return findings;
}

/// Judges the file without its dependencies.
std::vector<Finding> FileJudge::judgeAlone(size_t file, const Runtime &runtime, unsigned thread,
                                           bool skipFixes, const std::optional<LoadResult> &load) {
  const BinaryFacts &facts = files[file].facts;
  pipeline::Installed &exports = *installed[thread];
  std::vector<LibraryFloor> floors = floorsOf(file, runtime.target.line.major);
  policy::Subject subject;
  subject.facts = &facts;
  subject.target = &runtime.target;
  subject.floors = &floors;
  // A matrix shows no fixes.
  subject.skipRuntimeFixes = skipFixes || !wantsFixes;
  auto under = [&](const Target &other) { return judgeUnder(file, other, thread); };
  subject.under = under;
  subject.load = load ? &*load : nullptr;
  auto versioned = [&](const TargetLibrary &library) { return exports.versioned(library); };
  subject.versioned = versioned;
  const Input &input = inputs.files[file];
  subject.afterTorch = input.member && requiresTorch(inputs.wheels[input.wheel].metadata);
  auto here = [&]() -> std::optional<LoadResult> {
    if (input.member || !input.sitePackages.empty())
      return std::nullopt;
    return loadHere.load(facts, input.path);
  };
  auto releaseOf = [&](llvm::StringRef path) { return loadHere.releaseOf(path); };
  subject.here = here;
  subject.releaseOf = releaseOf;
  auto pathOf = [&](llvm::StringRef name) { return pathIn(load, file, name); };
  pipeline::Definitions others(loading.filesOf(file), facts, pathOf);
  subject.others = others;
  auto isTorchs = [&](llvm::StringRef name) { return isOfRuntime(file, load, name); };
  pipeline::Definitions besideTorch(loading.filesOf(file), facts, pathOf, isTorchs);
  subject.besideTorch = besideTorch;
  subject.torchTable = torchTables;
  torchOf(file, besideTorch);
  auto isOfPython = [&](llvm::StringRef folder) {
    // PREFIX/lib/python3.11/site-packages
    llvm::StringRef prefix =
        support::grandparentOf(support::parentOf(llvm::StringRef(input.sitePackages)));
    return pipeline::isPythonFolder(system, facts, prefix, folder);
  };
  subject.isPythonFolder = isOfPython;
  auto package = [&]() -> std::string {
    if (input.sitePackages.empty())
      return {};
    return probe::ownerOf({input.sitePackages}, support::absolute(input.path, system.files),
                          system.files)
        .first;
  };
  subject.package = package;
  auto around = [&] { return toolkitsHere(); };
  std::vector<Finding> findings = policy::judgeBinary(subject, exports, around);
  if (!options.deep && needsOpening(runtime.target, findings))
    if (const BinaryFacts *more = opened(file)) {
      subject.facts = more;
      findings = policy::judgeBinary(subject, exports, around);
    }
  return findings;
}

std::vector<Finding> FileJudge::judgeAsDependency(size_t file, const Runtime &runtime,
                                                  unsigned thread) {
  {
    std::lock_guard lock(dependenciesMutex);
    auto found = dependencies.find({file, &runtime});
    if (found != dependencies.end())
      return found->second;
  }
  policy::Subject subject;
  subject.facts = &files[file].facts;
  subject.target = &runtime.target;
  std::vector<LibraryFloor> floors = floorsOf(file, runtime.target.line.major);
  subject.floors = &floors;
  subject.skipRuntimeFixes = true;
  std::optional<std::optional<LoadResult>> load;
  auto loaded = [&]() -> const std::optional<LoadResult> & {
    if (!load)
      load = loading.load(file, runtime.target);
    return *load;
  };
  auto pathOf = [&](llvm::StringRef name) { return pathIn(loaded(), file, name); };
  auto isTorchs = [&](llvm::StringRef name) { return isOfRuntime(file, loaded(), name); };
  pipeline::Definitions besideTorch(loading.filesOf(file), *subject.facts, pathOf, isTorchs);
  subject.besideTorch = besideTorch;
  subject.torchTable = torchTables;
  auto none = [] { return std::vector<FoundToolkit>(); };
  std::vector<Finding> findings = policy::inherited(
      policy::judgeBinary(subject, *installed[thread], none), inputs.files[file].name);
  std::lock_guard lock(dependenciesMutex);
  return dependencies[{file, &runtime}] = std::move(findings);
}

std::vector<Finding> FileJudge::judgeDependencies(size_t file, const Runtime &runtime,
                                                  unsigned thread, const LoadResult &load) {
  std::vector<Finding> findings;
  for (const LoadStep &step : load.steps) {
    auto dependency = loading.fileAt(file, step.path);
    if (step.by != LoadedBy::Root && dependency && *dependency != file)
      for (Finding &finding : judgeAsDependency(*dependency, runtime, thread))
        findings.push_back(std::move(finding));
  }
  return findings;
}

void FileJudge::addFindings(size_t file, std::vector<Finding> findings, Judgement &judgement) {
  for (Finding &finding : findings)
    if (arguments.onlyCuda && (finding.code == Code::NotCudas || finding.code == Code::TorchLacks ||
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
    Finding &finding = findings.emplace_back();
    finding.code = Code::WaiverUnused;
    finding.severity = Severity::Remark;
    finding.message = "a waiver that nothing matched";
    finding.facts = {{"waiver", waiver.value.str()}, {"where", waiver.origin.str()}};
  }
  return findings;
}

static Finding noAlternative(const Runtime &runtime, const policy::Alternatives &group) {
  return toFinding(makeError(
      Code::NoExportList, fmt::format("no alternative is named for CUDA {}", runtime.target.line),
      {{"files", group.pattern}}, {"name the file that this runtime loads, to check it"}));
}

std::optional<size_t> FileJudge::fileOf(const Unit &unit, const Runtime &runtime) const {
  return unit.alternatives ? unit.alternatives->fileFor(runtime.target.line)
                           : std::optional(unit.file);
}

Judgement FileJudge::judge(const Unit &unit, const Runtime &runtime, unsigned thread) {
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
    judgement.verdict.add(noAlternative(runtime, *unit.alternatives));
  else if (files[*file].state == ReadFile::State::Failed)
    judgement.verdict.add(files[*file].problem);
  else
    judgeFile(*file, runtime, thread, judgement);
  return judgement;
}

} // namespace cudacc::commands
