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

bool SeenFiles::isCurrent(const FileId &id) {
  auto [place, isNew] = seen.try_emplace(id.path);
  if (isNew)
    place->second = files.stat(id.path);
  return place->second.id == id;
}

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

static std::vector<FileId> programsOf(System &system, const Command &nvcc, const NvccSteps &steps) {
  std::string path;
  for (const auto &[name, value] : steps.dryrun.variables)
    if (name == "PATH")
      path = fmt::format("PATH={}", value);
  Environment environment;
  environment.entries = {path};
  std::vector<std::string> names = {nvcc.program, "as"};
  for (const plan::Step &step : steps.graph.steps)
    if (!step.program.empty() && !llvm::is_contained(names, step.program))
      names.push_back(step.program);
  std::vector<FileId> programs;
  for (const std::string &name : names)
    if (std::string found = support::findProgram(name, environment, system.files); !found.empty())
      if (FileStatus status = system.files.stat(found); status.exists())
        programs.push_back(status.id);
  return programs;
}

/// The kept answer to \p question; std::nullopt if there is none.
static std::optional<KeptDryrun> readKept(System &system, const std::string &path,
                                          StringRef question, SeenFiles &seen) {
  auto text = llvm::expectedToOptional(system.files.read(path, largest));
  if (!text)
    return std::nullopt;
  auto kept = readKeptDryrun(*text);
  bool answers = kept && kept->question == question &&
                 llvm::all_of(kept->inputs, [&](const FileId &id) { return seen.isCurrent(id); });
  return answers ? std::move(kept) : std::nullopt;
}

/// nvcc's text; std::nullopt if it fails. It takes a place, as nvcc runs the host compiler to ask
/// for its version.
static std::optional<std::string> askNvcc(System &system, const Command &nvcc,
                                          const run::JobRules &rules) {
  auto job = run::waitForJob(rules);
  Command command = nvcc;
  command.argv = {nvcc.argv[0], "--dryrun"};
  for (size_t i = 1; i < nvcc.argv.size(); ++i)
    command.argv.add(nvcc.argv[i]);
  command.outputLimit = largest;
  auto answer = llvm::expectedToOptional(system.runner.ask(command));
  if (!answer)
    return std::nullopt;
  bool isGood = !answer->ended.status && !answer->ended.signal && answer->out.empty();
  return isGood ? std::optional(std::move(answer->err)) : std::nullopt;
}

bool askForSteps(System &system, const Invocation &call, const Command &nvcc, StringRef folder,
                 const run::JobRules &rules, SeenFiles &seen, NvccSteps &steps,
                 std::string &because) {
  std::string path = fmt::format("{}/{}", folder, BuildFolder::dryrun);
  std::string question = questionOf(system, call, nvcc);
  auto kept = asksForGpus(call) ? std::nullopt : readKept(system, path, question, seen);
  auto text = kept ? std::move(kept->text) : askNvcc(system, nvcc, rules);
  if (!text) {
    because = "nvcc --dryrun fails";
    return false;
  }
  steps.dryrun = plan::readDryrun(*text);
  auto graph = plan::makeGraph(steps.dryrun, depfileRequest(call), folder, because);
  if (!graph)
    return false;
  steps.graph = std::move(*graph);
  steps.programs = kept ? std::move(kept->inputs) : programsOf(system, nvcc, steps);
  if (!kept)
    llvm::consumeError(
        system.files.write(path, dryrunText({question, *text, steps.programs}), 0600));
  return true;
}

} // namespace cudacc::pipeline
