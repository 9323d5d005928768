// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/check/JudgedRows.h"
#include "driver/commands/check/Against.h"
#include "driver/commands/check/Relink.h"
#include "driver/commands/check/SkippedFiles.h"
#include "driver/commands/inputs/WheelPackage.h"
#include "driver/policy/rules/Evidence.h"
#include "driver/policy/rules/Judge.h"
#include "driver/policy/wheel/Brought.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include <atomic>
#include <map>

namespace cudacc::commands {

using namespace core;

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
