// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/NvccSteps.h"
#include "driver/pipeline/BuildFolder.h"
#include "driver/pipeline/StepInputs.h"
#include "driver/plan/toolchain/Toolchain.h"
#include "driver/support/PathSearch.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::pipeline {

using namespace core;
using llvm::StringRef;

static constexpr uint64_t largest = uint64_t(1) << 28;

/// Everything that decides about nvcc's answer.
static std::string questionOf(System &system, const Invocation &call, const Command &nvcc) {
  std::string text = fmt::format("{}\n{}\n", system.files.workingDirectory(), nvcc.program);
  for (StringRef word : nvcc.argv.strings())
    text += fmt::format("{}\n", word);
  for (const Word &word : call.words)
    text += fmt::format("{}\n", word.text);
  for (const auto &[name, value] : nvcc.set)
    text += fmt::format("{}={}\n", name, value);
  return plan::digest(text + variablesOfNvcc(system.environment));
}

static std::map<std::string, std::string> programsOf(System &system, const NvccSteps &steps) {
  Environment environment;
  std::string path;
  for (const auto &[name, value] : steps.dryrun.variables)
    if (name == "PATH")
      path = fmt::format("PATH={}", value);
  environment.entries = {path};
  std::map<std::string, std::string> programs = {{"as", ""}};
  for (const plan::Step &step : steps.graph.steps)
    if (!step.program.empty())
      programs.emplace(step.program, "");
  for (auto &[name, found] : programs)
    found = support::findProgram(name, environment, system.files);
  return programs;
}

/// The kept answer to \p question; std::nullopt if there is none.
static std::optional<std::string> readKept(System &system, const std::string &path,
                                           StringRef question, CurrentFiles &current) {
  auto text = llvm::expectedToOptional(system.files.read(path, largest));
  auto kept = text ? readKeptAnswer(*text) : std::nullopt;
  bool answers = kept && kept->question == question && current.areUnchanged(kept->inputs);
  return answers ? std::optional(std::move(kept->text)) : std::nullopt;
}

/// nvcc's text; std::nullopt if it fails. It takes a place, as nvcc runs the host compiler to ask
/// for its version. \p accesses gets what was looked at.
static std::optional<std::string> askNvcc(System &system, const Command &nvcc,
                                          const run::JobRules &rules, Accesses &accesses) {
  auto job = run::waitForJob(rules);
  Command command = nvcc;
  command.argv = {nvcc.argv[0], "--dryrun"};
  for (size_t i = 1; i < nvcc.argv.size(); ++i)
    command.argv.add(nvcc.argv[i]);
  command.outputLimit = largest;
  auto answer = llvm::expectedToOptional(system.runner.observe(command, accesses));
  if (!answer)
    return std::nullopt;
  bool isGood = !answer->ended.status && !answer->ended.signal && answer->out.empty();
  return isGood ? std::optional(std::move(answer->err)) : std::nullopt;
}

bool askForSteps(System &system, const Invocation &call, const Command &nvcc, StringRef folder,
                 const run::JobRules &rules, CurrentFiles &current, NvccSteps &steps,
                 std::string &because) {
  std::string path = fmt::format("{}/{}", folder, BuildFolder::dryrun);
  std::string question = questionOf(system, call, nvcc);
  bool isKept = !asksForGpus(call);
  auto text = isKept ? readKept(system, path, question, current) : std::nullopt;
  if (!text) {
    Accesses accesses;
    int64_t started = currentTime();
    text = askNvcc(system, nvcc, rules, accesses);
    if (!text) {
      because = "nvcc --dryrun fails";
      return false;
    }
    auto inputs =
        inputsOf(system, accesses, folder, started, /*expandsTime=*/false, current.allVariables());
    if (isKept && inputs)
      llvm::consumeError(
          system.files.write(path, answerText({question, *text, std::move(*inputs)}), 0600));
  }
  steps.dryrun = plan::readDryrun(*text);
  auto graph = plan::makeGraph(steps.dryrun, depfileRequest(call), folder, because);
  if (!graph)
    return false;
  steps.graph = std::move(*graph);
  steps.programs = programsOf(system, steps);
  return true;
}

} // namespace cudacc::pipeline
