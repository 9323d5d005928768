// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/Subcommands.h"
#include "driver/commands/check/JudgedRows.h"
#include "driver/commands/inputs/WheelPackage.h"
#include "driver/commands/wheel/Auditwheel.h"
#include "driver/commands/wheel/Kept.h"
#include "driver/commands/wheel/ReadWheel.h"
#include "driver/commands/wheel/RepairNeeds.h"
#include "driver/commands/wheel/Repaired.h"
#include "driver/commands/wheel/Unbundle.h"
#include "driver/commands/wheel/VariantFiles.h"
#include "driver/commands/wheel/WheelArguments.h"
#include "driver/pipeline/Reporter.h"
#include "driver/plan/wheel/MetadataEdit.h"
#include "driver/policy/rules/Evidence.h"
#include "driver/policy/wheel/Brought.h"
#include "driver/report/json/Json.h"
#include "driver/report/text/Check.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/WheelName.h"
#include <set>

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

/// The runtimes that a wheel is for: those of \p arguments or of the declaration, else those of
/// the files' manifests. Errors: Usage if there are none, and that of one that cannot be resolved.
static llvm::Expected<std::vector<Runtime>> runtimesOfWheel(pipeline::System &system,
                                                            const WheelArguments &arguments,
                                                            const Declaration &declaration,
                                                            const Inputs &inputs,
                                                            llvm::ArrayRef<ReadFile> files) {
  auto runtimes = runtimesOf(system, arguments, declaration);
  if (!runtimes || !runtimes->empty())
    return runtimes;
  for (size_t i = 0; i != files.size(); ++i)
    addRuntimesOfManifest(*runtimes, system, arguments, declaration, inputs.files[i].name,
                          files[i].facts);
  for (const Runtime &runtime : *runtimes)
    if (runtime.problem)
      return makeError(*runtime.problem);
  std::string path = inputs.wheels.front().path;
  if (runtimes->empty())
    return makeError(
        Code::Usage, fmt::format("no runtime is declared for {}", path),
        {{"manifest", "none that names a runtime"}},
        {fmt::format("cuda-cc wheel repair --runtime torch==2.5.1 {}", support::shellWord(path))});
  return runtimes;
}

/// The fix where the metadata require \p excluded and the runtime, of the CUDA \p line, has
/// another version: the oldest release of torch of that major that they allow, else the newest.
static std::string fixOf(StringRef excluded, versions::CudaVersion line, StringRef path) {
  auto requirement = versions::Requirement::parse(excluded);
  if (!requirement || requirement->name != "torch")
    return fmt::format("take {} out of the dependencies: what the files need is written by repair",
                       excluded);
  std::string runtime;
  const std::vector<tables::TorchRelease> releases = tables::torchReleases();
  for (const tables::TorchRelease &release : llvm::reverse(releases)) {
    auto version = versions::Version::parse(release.str());
    bool isPassed = !runtime.empty() && release.defaultLine.major != line.major;
    if (version && requirement->specifiers.contains(*version) && !isPassed)
      runtime = fmt::format("torch=={}", release.str());
  }
  return fmt::format("cuda-cc wheel repair --runtime={} {}",
                     support::shellWord(runtime.empty() ? excluded.str() : runtime),
                     support::shellWord(path));
}

namespace {

/// The steps of one call.
class Repair {
public:
  Repair(pipeline::System &system, const WheelArguments &arguments, std::string path)
      : system(system), arguments(arguments), path(std::move(path)) {}
  llvm::Expected<int> run();

private:
  pipeline::System &system;
  const WheelArguments &arguments;
  std::string path;
  Declaration declaration;
  std::vector<Runtime> runtimes;
  std::unique_ptr<WorkFolder> work;
  /// The input; what auditwheel gets, if that is not the input; what it made; the result.
  std::unique_ptr<ReadWheel> source, unbundled, made, result;
  std::string madePath, resultPath;
  Repaired repaired;

  /// What the option says, else the setting `wheel`; empty if neither does.
  std::string chosen(StringRef key, std::string option) const;
  /// The CUDA majors of the runtimes.
  std::set<unsigned> majors() const;
  const ReadWheel &staged() const { return unbundled ? *unbundled : *source; }
  llvm::Error readSource();
  llvm::Error unbundle();
  llvm::Error findNeeds(const ReadWheel &wheel);
  /// Prints findings about requirements and the variant; returns the exit status if there are any.
  std::optional<int> contradictions(const ReadWheel &wheel);
  llvm::Error make();
  /// Finds the libraries that the wheel contains, in what auditwheel made.
  void findContained();
  llvm::Error write();
  std::map<std::string, std::string> texts(const WheelRecords &records) const;
  std::vector<Judgement> judgementsOf(const ReadWheel &wheel, const binary::ReadOptions &options);
  /// Adds to the runtimes what the result requires and they leave open; in a wheel of several lines
  /// the metadata require it by extras.
  void addRequired();
  /// Finds files of CUDA lines that no runtime is of.
  void findUnjudged();
  bool judge();
  llvm::Error publish();
  int print(bool accepted) const;
};

} // namespace

std::set<unsigned> Repair::majors() const {
  std::set<unsigned> majors;
  for (const Runtime &runtime : runtimes)
    majors.insert(runtime.target.line.major);
  return majors;
}

llvm::Error Repair::readSource() {
  if (llvm::Error error = readWheel(system, path, /*device=*/arguments.variant).moveInto(source))
    return error;
  if (llvm::Error error = refuseSigned(*source))
    return error;
  // A file whose digest is known is copied as it is compressed.
  if (llvm::Error error = completeRecords(system, *source))
    return error;
  if (llvm::Error error =
          runtimesOfWheel(system, arguments, declaration, source->inputs, source->files)
              .moveInto(runtimes))
    return error;
  repaired.input = path;
  repaired.inputSize = source->wheel().file->size();
  repaired.name = source->wheel().metadata.name;
  repaired.version = source->wheel().metadata.version;
  for (const Runtime &runtime : runtimes) {
    repaired.runtimes.push_back(runtime.name);
    repaired.cuda.push_back(runtime.target.line);
  }
  return llvm::Error::success();
}

std::string Repair::chosen(StringRef key, std::string option) const {
  for (const Setting<std::string> &each : llvm::reverse(declaration.wheel))
    if (auto [name, value] = StringRef(each.value).split('='); option.empty() && name == key)
      return value.str();
  return option;
}

llvm::Error Repair::unbundle() {
  Unbundling unbundling = findBundled(source->inputs, source->files, runtimes);
  if (unbundling.removed.empty())
    return llvm::Error::success();
  repaired.removed = unbundling.removed;
  auto folder = work->makeFolder("unbundled");
  if (!folder)
    return folder.takeError();
  std::string file = support::joinPath(*folder, support::nameOf(path));
  if (llvm::Error error = writeUnbundled(system, *source, unbundling, *work, file))
    return error;
  if (llvm::Error error = readWheel(system, file, /*device=*/arguments.variant).moveInto(unbundled))
    return error;
  return llvm::Error::success();
}

llvm::Error Repair::findNeeds(const ReadWheel &wheel) {
  // Runtimes of several majors determine none.
  std::set<unsigned> all = majors();
  RepairNeeds needs = needsOf(wheel, all.size() == 1 ? *all.begin() : 0);
  std::vector<std::string> torches;
  for (const Runtime &runtime : runtimes)
    torches.push_back(runtime.target.torch);
  needs.wheel.torchTag = policy::torchTagOf(repaired.version, needs.wheel.declared, torches);
  std::string mode = chosen("requires", arguments.wheelRequires);
  needs.wheel.mode = policy::parseRequiresMode(mode);
  if (needs.wheel.needsTorch)
    for (const Judgement &each : judgementsOf(wheel, {}))
      needs.wheel.torch.meet(each.torch);
  if (llvm::Error error = nameLine(needs.wheel, arguments.extras))
    return error;
  repaired.requirements = policy::requirementsOf(needs.wheel);
  repaired.lines = std::move(needs.wheel.lines);
  repaired.torch = std::move(needs.wheel.torch);
  repaired.torchTag = std::move(needs.wheel.torchTag);
  repaired.external = std::move(needs.external);
  return pipeline::failedSearch(system);
}

std::optional<int> Repair::contradictions(const ReadWheel &wheel) {
  std::vector<Finding> findings = repaired.requirements.findings;
  for (const Runtime &runtime : runtimes) {
    // A CUDA line alone stands for all versions of it. And where the files exclude a requirement,
    // the runtime that they were built for does so as well.
    if (runtime.target.torchReleases.size() != 1 || !repaired.requirements.findings.empty())
      continue;
    for (const std::string &excluded : excluding(source->wheel().metadata, runtime.target)) {
      findings.push_back(
          makeFinding(Code::RequirementContradicts,
                      fmt::format("the metadata exclude the runtime {}", runtime.name),
                      {{"metadata", fmt::format("Requires-Dist: {}", excluded)}},
                      {fixOf(excluded, runtime.target.line, path)}));
    }
  }
  if (arguments.variant) {
    policy::VariantResult variant = variantOfWheel(wheel.files, repaired.lines, repaired.cuda);
    llvm::append_range(findings, variant.findings);
    repaired.variant = std::move(variant.properties);
  }
  if (findings.empty())
    return std::nullopt;
  int worst = 0;
  for (const Finding &finding : findings)
    worst = std::max(worst, failWith(system, finding));
  return worst;
}

std::map<std::string, std::string> Repair::texts(const WheelRecords &records) const {
  const policy::WheelRequirements &requirements = repaired.requirements;
  std::map<std::string, std::string> texts;
  texts[fmt::format("{}/METADATA", records.folder)] =
      plan::addRequirements(records.metadata, requirements.added, requirements.extras);
  texts[fmt::format("{}/cuda-target.json", records.folder)] = cudaTargetText(repaired);
  texts[fmt::format("{}/sboms/cuda-cc.cdx.json", records.folder)] = sbomText(repaired);
  if (repaired.variant)
    texts[fmt::format("{}/variant.json", records.folder)] = variantText(*repaired.variant);
  return texts;
}

void Repair::findContained() {
  std::set<std::string> before;
  for (const binary::WheelEntry &entry : staged().wheel().entries)
    before.insert(entry.name);
  for (const Input &input : made->inputs.files) {
    const std::string &name = made->wheel().entries[input.entry].name;
    if (before.count(name) || !StringRef(support::parentOf(name)).ends_with(".libs"))
      continue;
    repaired.grafted.push_back(name);
    if (auto row = made->records.rows.find(name); row != made->records.rows.end())
      repaired.digests[name] = row->second.digest;
  }
  for (size_t i = 0; i != made->files.size(); ++i)
    if (policy::hasStaticCudart(made->files[i].facts))
      repaired.staticCudart.push_back(made->memberOf(i));
}

llvm::Error Repair::make() {
  auto auditwheel = findAuditwheel(system);
  if (!auditwheel)
    return auditwheel.takeError();
  std::string staging = support::absolute(staged().wheel().path, system.files);
  std::vector<std::string> excluded = repaired.external;
  llvm::append_range(excluded, arguments.exclude);
  llvm::append_range(excluded, patternsOfRuntime(majors()));
  if (llvm::Error error =
          runAuditwheel(system, *auditwheel, staging, work->path(), excluded).moveInto(madePath))
    return error;
  if (llvm::Error error = readWheel(system, madePath, /*device=*/arguments.variant).moveInto(made))
    return error;
  findContained();
  return llvm::Error::success();
}

llvm::Error Repair::write() {
  auto folder = work->makeFolder("result");
  if (!folder)
    return folder.takeError();
  StringRef name = support::nameOf(madePath);
  resultPath = support::joinPath(*folder, name);
  if (repaired.variant && name.consume_back(".whl"))
    resultPath =
        support::joinPath(*folder, fmt::format("{}-{}.whl", name, repaired.variant->label()));
  if (llvm::Error error = writeResult(system, resultPath, staged(), *made, texts(made->records)))
    return error;
  // It takes as much space as the result.
  made.reset();
  system.files.remove(madePath);
  if (llvm::Error error = readWheel(system, resultPath, /*device=*/true).moveInto(result))
    return error;
  return compareFiles(staged(), *result, repaired.grafted);
}

std::vector<Judgement> Repair::judgementsOf(const ReadWheel &wheel,
                                            const binary::ReadOptions &options) {
  auto all = [&](const Input &) { return llvm::ArrayRef<Runtime>(runtimes); };
  JudgedRows rows(system, arguments, declaration, wheel.inputs, wheel.files, options, all,
                  /*wantsFixes=*/true);
  rows.judge(/*shortened=*/false);
  return std::move(rows.judgements);
}

void Repair::addRequired() {
  if (repaired.requirements.mode == policy::RequiresMode::None)
    return;
  std::vector<versions::Requirement> requirements = staged().wheel().metadata.requirements;
  for (const policy::WheelLine &line : repaired.lines)
    for (const LibraryFloor &floor : line.floors)
      if (auto requirement = versions::Requirement::parse(floor.requirement))
        requirements.push_back(std::move(*requirement));
  for (Runtime &runtime : runtimes)
    policy::addRows(runtime.target, policy::broughtBeside(runtime.target, requirements));
}

void Repair::findUnjudged() {
  std::set<std::string> all, judged;
  for (const Judgement &each : repaired.judgements) {
    all.insert(each.alternatives.begin(), each.alternatives.end());
    judged.insert(each.path);
  }
  llvm::copy_if(all, std::back_inserter(repaired.unjudged),
                [&](const std::string &path) { return !judged.count(path); });
  for (std::string &path : repaired.unjudged)
    path = StringRef(path).rsplit('!').second;
}

bool Repair::judge() {
  addRequired();
  // Messages name the wheel as it will be called.
  for (Input &input : result->inputs.files)
    input.name = fmt::format("{}!{}", repaired.output, result->wheel().entries[input.entry].name);
  binary::ReadOptions options;
  options.device = true;
  repaired.judgements = judgementsOf(*result, options);
  findUnjudged();
  return llvm::all_of(repaired.judgements, [&](const Judgement &each) {
    return each.verdict.exit(declaration.strict.value) == Exit::Ok;
  });
}

llvm::Error Repair::publish() {
  if (work->interrupted())
    return makeError(Code::CannotWrite, "interrupted");
  if (llvm::Error error = pipeline::failedSearch(system))
    return error;
  FileStatus there = system.files.stat(repaired.output), input = system.files.stat(path);
  if (there.exists() && there.id.device == input.id.device && there.id.inode == input.id.inode)
    return makeError(
        Code::Usage, fmt::format("the result would replace the input {}", path), {},
        {fmt::format("cuda-cc wheel repair {} -w wheelhouse", support::shellWord(path))});
  if (!repaired.variant)
    return system.files.rename(resultPath, repaired.output);
  auto index = VariantIndex::read(system, support::parentOf(repaired.output).str(),
                                  support::nameOf(repaired.output), *repaired.variant);
  if (!index)
    return index.takeError();
  repaired.variantIndex = index->path();
  if (llvm::Error error = system.files.rename(resultPath, repaired.output))
    return error;
  return index->write();
}

int Repair::print(bool accepted) const {
  Exit worst = Exit::Ok;
  for (const Judgement &judgement : repaired.judgements)
    worst = worse(worst, judgement.verdict.exit(declaration.strict.value));
  if (arguments.json) {
    llvm::json::Value document = repairJson(repaired);
    (*document.getAsObject())["written"] = accepted;
    (*document.getAsObject())["check"] =
        report::toJson(llvm::ArrayRef(repaired.judgements), llvm::ArrayRef<Finding>());
    system.console.out(report::print(document));
    return int(worst);
  }
  report::Style style = pipeline::outStyle(system);
  if (accepted)
    system.console.out(repairText(repaired));
  if (!repaired.judgements.empty())
    system.console.out(report::check(repaired.judgements, style));
  if (!accepted)
    system.console.err("cuda-cc: the repaired wheel is not accepted; nothing was written\n");
  return int(worst);
}

llvm::Expected<int> Repair::run() {
  if (llvm::Error error = readDeclaration(system, arguments).moveInto(declaration))
    return error;
  if (llvm::Error error = readSource())
    return error;
  std::string folder = arguments.wheelDir.value_or("wheelhouse");
  if (llvm::Error error = WorkFolder::make(system, folder).moveInto(work))
    return error;
  if (chosen("unbundle", arguments.unbundle ? "true" : "") == "true")
    if (llvm::Error error = unbundle())
      return error;
  if (llvm::Error error = findNeeds(staged()))
    return error;
  if (auto status = contradictions(staged()))
    return *status;
  if (llvm::Error error = make())
    return error;
  // What was copied into the wheel has needs of its own.
  if (!repaired.grafted.empty()) {
    if (llvm::Error error = findNeeds(*made))
      return error;
    if (auto status = contradictions(*made))
      return *status;
  }
  if (llvm::Error error = write())
    return error;
  repaired.output = support::joinPath(folder, support::nameOf(resultPath));
  repaired.outputSize = result->wheel().file->size();
  bool accepted = judge();
  if (accepted)
    if (llvm::Error error = publish())
      return error;
  return print(accepted);
}

llvm::Expected<int> repairWheel(pipeline::System &system, const WheelArguments &arguments,
                                llvm::ArrayRef<std::string> words) {
  StringRef example = "cuda-cc wheel repair dist/x-1.0-cp311-cp311-linux_x86_64.whl -w wheelhouse";
  if (words.size() != 1)
    return makeError(Code::Usage, "cuda-cc wheel repair takes one wheel", {}, {example.str()});
  auto name = versions::WheelName::parse(support::nameOf(words.front()));
  if (arguments.variant && name && !name->variant.empty())
    return makeError(Code::Usage, fmt::format("{} is a variant already", words.front()), {},
                     {example.str()});
  return Repair(system, arguments, words.front()).run();
}

} // namespace cudacc::commands
