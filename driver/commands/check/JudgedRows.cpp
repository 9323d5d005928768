// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/check/JudgedRows.h"
#include "driver/commands/check/Against.h"
#include "driver/commands/check/Relink.h"
#include "driver/commands/inputs/WheelPackage.h"
#include "driver/policy/rules/Evidence.h"
#include "driver/policy/rules/Judge.h"
#include "driver/policy/wheel/Brought.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "driver/versions/Machine.h"
#include "driver/versions/ModuleName.h"
#include <atomic>
#include <map>

namespace cudacc::commands {

using namespace core;
using namespace versions;

/// Python's version, from `lib/python3.11/site-packages`; empty if the path does not contain it.
static std::string pythonOf(const Runtime &runtime) {
  for (llvm::StringRef site : runtime.target.sitePackages) {
    llvm::StringRef name = support::nameOf(support::parentOf(site));
    if (name.consume_front("python"))
      return name.str();
  }
  return {};
}

namespace {

/// Files that the user did not name and that the Python of their runtime never loads: extension
/// modules for another Python version, and libraries for another machine than most files of their
/// package (such as stubs for other systems).
class SkippedFiles {
public:
  /// Both must outlive this.
  SkippedFiles(const Inputs &inputs, llvm::ArrayRef<ReadFile> files);

  /// "for Python 3.9", "for aarch64"; empty if it is judged. \p runtime is null if none is known.
  std::string reason(size_t file, const Runtime *runtime) const;
  /// CC4209 with a fact per reason; empty if nothing was skipped.
  static std::vector<Finding>
  finding(const std::map<std::string, std::vector<std::string>> &filesByReason);

private:
  const Inputs &inputs;
  llvm::ArrayRef<ReadFile> files;
  /// The machine of most files, by package; 0 if undecided.
  std::map<size_t, uint16_t> machines;
};

} // namespace

SkippedFiles::SkippedFiles(const Inputs &inputs, llvm::ArrayRef<ReadFile> files)
    : inputs(inputs), files(files) {
  std::map<size_t, std::map<uint16_t, size_t>> counts;
  for (size_t i = 0; i != files.size(); ++i)
    if (files[i].state == ReadFile::State::Read && files[i].facts.machine)
      ++counts[inputs.packageOf(inputs.files[i])][files[i].facts.machine];
  for (const auto &[package, of] : counts) {
    auto most = llvm::max_element(
        of, [](const auto &one, const auto &other) { return one.second < other.second; });
    bool isTie =
        llvm::count_if(of, [&](const auto &each) { return each.second == most->second; }) > 1;
    machines[package] = isTie ? 0 : most->first;
  }
}

std::string SkippedFiles::reason(size_t file, const Runtime *runtime) const {
  const Input &input = inputs.files[file];
  const BinaryFacts &facts = files[file].facts;
  if (input.named || files[file].state != ReadFile::State::Read ||
      facts.kind != BinaryKind::SharedObject)
    return {};
  auto machine = machines.find(inputs.packageOf(input));
  if (machine != machines.end() && machine->second && facts.machine &&
      facts.machine != machine->second)
    return "for " + describeMachine(facts.machine);
  std::string python = runtime ? pythonOf(*runtime) : "";
  std::optional<std::string> of = pythonOfModule(support::nameOf(input.name));
  // `3` stands for all versions (abi3).
  bool isOther = of && *of != "3" && *of != python;
  return python.empty() || !isOther ? "" : "for Python " + *of;
}

std::vector<Finding>
SkippedFiles::finding(const std::map<std::string, std::vector<std::string>> &filesByReason) {
  constexpr size_t shown = 3;
  if (filesByReason.empty())
    return {};
  size_t count = 0;
  Finding finding = makeFinding(Code::NotJudged, "");
  for (const auto &[reason, paths] : filesByReason) {
    count += paths.size();
    std::string text = llvm::join(llvm::ArrayRef(paths).take_front(shown), ", ");
    if (paths.size() > shown)
      text += fmt::format(", and {} more", paths.size() - shown);
    finding.facts.push_back({reason, std::move(text)});
  }
  finding.message = fmt::format("{} not judged: never loaded with the others",
                                count == 1 ? "1 file is" : fmt::format("{} files are", count));
  return {std::move(finding)};
}

/// Adds a remark about a file of which it is not known what will lie beside it.
static void remarkOnPlace(const Input &input, const ReadFile &file, Judgement &judgement) {
  if (!input.places.empty() || file.state != ReadFile::State::Read || file.facts.needed.empty())
    return;
  Finding finding;
  finding.code = Code::NotFound;
  finding.severity = Severity::Remark;
  finding.message = "its search path is not judged: its place is not under site-packages";
  judgement.verdict.add(std::move(finding));
}

JudgedRows::JudgedRows(pipeline::System &system, const JudgeArguments &arguments,
                       const Declaration &declaration, const Inputs &inputs,
                       llvm::ArrayRef<ReadFile> files, const binary::ReadOptions &options,
                       RuntimesOf runtimesOf, bool wantsFixes)
    : judging(system, arguments, declaration, inputs, files, options, wantsFixes), system(system),
      arguments(arguments), inputs(inputs), files(files), runtimesOf(std::move(runtimesOf)) {
  // The requirements of all wheels are merged, since the line that is printed serves one project.
  for (const OpenedWheel &wheel : inputs.wheels)
    llvm::append_range(needs.declared, wheel.metadata.requirements);
}

/// Keeps only what a row of the matrix shows of one file among several: there may be thousands of
/// files for each runtime.
static void shorten(Judgement &judgement) {
  std::vector<Finding> errors;
  for (Finding &finding : judgement.verdict.findings)
    if (finding.severity != Severity::Remark) {
      Finding &error = errors.emplace_back();
      error.code = finding.code;
      error.severity = finding.severity;
      // Warnings are only counted.
      if (finding.severity != Severity::Error)
        continue;
      error.message = std::move(finding.message);
      error.symbol = std::move(finding.symbol);
      error.library = std::move(finding.library);
    }
  judgement.verdict.findings = std::move(errors);
  judgement.floor = std::vector<LibraryFloor>();
}

const Runtime &JudgedRows::installedWith(const Unit &unit, const Runtime &runtime) const {
  const Input &input = inputs.files[unit.file];
  auto found = input.member ? completed.find({input.wheel, &runtime}) : completed.end();
  return found == completed.end() ? runtime : *found->second;
}

void JudgedRows::complete() {
  for (const Unit &unit : units) {
    const Input &input = inputs.files[unit.file];
    for (const Runtime &runtime : runtimesOf(input)) {
      if (!input.member || runtime.problem || completed.count({input.wheel, &runtime}))
        continue;
      auto rows =
          policy::broughtBeside(runtime.target, inputs.wheels[input.wheel].metadata.requirements);
      if (rows.empty())
        continue;
      auto &slot = completed[{input.wheel, &runtime}] = std::make_unique<Runtime>(runtime);
      policy::addRows(slot->target, std::move(rows));
    }
  }
}

Judgement JudgedRows::judgeOne(const Unit &unit, const Runtime &declared) {
  const Runtime &runtime = installedWith(unit, declared);
  Judgement judgement = judging.judge(unit, runtime);
  if (!runtime.problem)
    remarkOnPlace(inputs.files[unit.file], files[unit.file], judgement);
  const Input &input = inputs.files[unit.file];
  if (input.member)
    if (auto finding = policy::judgeWheelName(support::nameOf(inputs.wheels[input.wheel].path),
                                              files[unit.file].facts))
      judgement.verdict.add(std::move(*finding));
  if (input.member && !runtime.problem)
    judgement.excludedBy = excluding(inputs.wheels[input.wheel].metadata, runtime.target);
  auto file = judging.fileOf(unit, runtime);
  if (!file || files[*file].state != ReadFile::State::Read)
    return judgement;
  if (arguments.relink && !runtime.problem)
    judgement.verdict.append(
        relink(system, inputs, inputs.files[*file], files[*file].facts, runtime));
  judgement.driver = policy::leastDriver(files[*file].facts, runtime.target.line);
  return judgement;
}

/// Drops units that none of their runtimes loads.
void JudgedRows::skip() {
  SkippedFiles skipping(inputs, files);
  std::map<std::string, std::vector<std::string>> reasons;
  llvm::erase_if(units, [&](const Unit &unit) {
    llvm::ArrayRef<Runtime> against = runtimesOf(inputs.files[unit.file]);
    std::string reason;
    for (size_t i = 0; i != std::max<size_t>(against.size(), 1); ++i) {
      reason = skipping.reason(unit.file, against.empty() ? nullptr : &against[i]);
      if (reason.empty())
        return false;
    }
    reasons[reason].push_back(inputs.files[unit.file].name);
    return true;
  });
  skipped = SkippedFiles::finding(reasons);
}

void JudgedRows::addNeedsOf(const Unit &unit, const Judgement &judgement, bool isFirst) {
  if (!judgement.alternatives.empty())
    return;
  std::lock_guard lock(needing);
  if (isFirst && judgement.torch.known())
    needs.torch.meet(judgement.torch);
  // The same for every runtime, if the file determines its CUDA major.
  const BinaryFacts &facts = files[unit.file].facts;
  if (isFirst || !policy::majorOf(facts))
    addNeeds(facts, judgement.floor, needs);
}

void JudgedRows::judge(bool shortened) {
  units = judging.units();
  skip();
  complete();
  const size_t before = judgements.size();
  size_t rows = before;
  for (const Unit &unit : units) {
    firsts.push_back(rows);
    rows += std::max<size_t>(runtimesOf(inputs.files[unit.file]).size(), 1);
  }
  judgements.resize(rows);
  const Runtime none;
  bool isShort = shortened && units.size() > 1;
  std::atomic<size_t> begun = 0;
  pipeline::inParallel(units.size(), [&](size_t index, unsigned) {
    const Unit &unit = units[index];
    const Input &input = inputs.files[unit.file];
    llvm::ArrayRef<Runtime> against = runtimesOf(input);
    if (against.empty())
      against = none;
    for (size_t i = 0; i != against.size(); ++i) {
      if (system.progress)
        system.progress->begin("judging", ++begun, rows - before,
                               fmt::format("{}, {}", input.name, against[i].name));
      Judgement judgement = judgeOne(unit, against[i]);
      addNeedsOf(unit, judgement, i == 0);
      if (isShort)
        shorten(judgement);
      judgements[firsts[index] + i] = std::move(judgement);
    }
  });
}

std::pair<const Unit *, const Runtime *> JudgedRows::of(size_t row) const {
  auto next = llvm::upper_bound(firsts, row);
  if (next == firsts.begin())
    return {};
  const Unit &unit = units[next - firsts.begin() - 1];
  llvm::ArrayRef<Runtime> against = runtimesOf(inputs.files[unit.file]);
  size_t at = row - *std::prev(next);
  return at < against.size() ? std::pair(&unit, &against[at])
                             : std::pair<const Unit *, const Runtime *>();
}

} // namespace cudacc::commands
