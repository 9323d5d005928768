// SPDX-License-Identifier: Apache-2.0
#include "driver/ninja/NvccSteps.h"
#include "driver/cache/Variables.h"
#include "driver/run/Jobs.h"
#include "driver/support/MadeFiles.h"
#include "driver/support/PathSearch.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::ninja {

using namespace core;
using llvm::StringRef;

StringRef wholeOption(const Invocation &call) {
  static constexpr llvm::StringLiteral options[] = {"-time",
                                                    "--time",
                                                    "-keep",
                                                    "--keep",
                                                    "-keep-dir",
                                                    "--keep-dir",
                                                    "-save-temps",
                                                    "--save-temps",
                                                    "-objtemp",
                                                    "--objdir-as-tempdir",
                                                    "-clean",
                                                    "--clean-targets",
                                                    "-jobserver",
                                                    "--jobserver",
                                                    "-fdevice-time-trace",
                                                    "--fdevice-time-trace",
                                                    "-opt-info",
                                                    "--optimization-info",
                                                    "-"};
  // Streams of the caller, which a step does not have.
  static constexpr llvm::StringLiteral streams[] = {"/dev/stdin", "/dev/fd/", "/proc/self/fd/"};
  for (const Word &word : call.words)
    if (llvm::is_contained(options, word.text.split('=').first) ||
        llvm::any_of(streams, [&](StringRef stream) { return word.text.contains(stream); }))
      return word.text;
  return "";
}

/// The last value of an option, separate or behind `=`; empty if it is not given.
static StringRef lastValue(const Invocation &call, StringRef shortName, StringRef longName) {
  StringRef value;
  for (size_t i = 0; i < call.words.size(); ++i)
    for (StringRef name : {shortName, longName}) {
      StringRef word = call.words[i].text;
      if (word == name && i + 1 < call.words.size())
        value = call.words[i + 1].text;
      else if (word.consume_front(name) && word.consume_front("="))
        value = word;
    }
  return value;
}

static bool has(const Invocation &call, StringRef shortName, StringRef longName) {
  return llvm::any_of(call.words, [&](const Word &word) {
    return word.text == shortName || word.text == longName;
  });
}

DepfileRequest depfileRequest(const Invocation &call, const Command &nvcc) {
  // With a record it has another -MP than the caller's.
  return {lastValue(call, "-MT", "--dependency-target-name").str(),
          has(call, "-MP", "--generate-dependency-targets") ||
              llvm::is_contained(nvcc.argv.strings(), "-MP"),
          has(call, "-MMD", "--generate-nonsystem-dependencies-with-compile")};
}

bool asksForGpus(const Invocation &call) {
  return llvm::any_of(call.words, [](const Word &word) { return word.text.contains("native"); });
}

/// Longer answers are no list of commands.
static constexpr size_t mostAnswer = size_t(1) << 28;

/// Everything that decides about nvcc's answer.
static std::string questionOf(run::Seams &seams, const Invocation &call, const Command &nvcc) {
  std::string text = fmt::format("{}\n{}\n", seams.files.workingDirectory(), nvcc.program);
  for (StringRef word : nvcc.argv.strings())
    text += fmt::format("{}\n", word);
  for (const Word &word : call.words)
    text += fmt::format("{}\n", word.text);
  for (const auto &[name, value] : nvcc.set)
    text += fmt::format("{}={}\n", name, value);
  return support::MadeFiles::digest(text + cache::variablesOfNvcc(seams.environment));
}

static std::map<std::string, std::string> programsOf(Files &files, const Dryrun &dryrun,
                                                     const StepGraph &graph) {
  Environment environment;
  std::string path;
  for (const auto &[name, value] : dryrun.variables)
    if (name == "PATH")
      path = fmt::format("PATH={}", value);
  environment.entries = {path};
  std::map<std::string, std::string> programs = {{"as", ""}};
  for (const Step &step : graph.steps)
    if (!step.program.empty())
      programs.emplace(step.program, "");
  for (auto &[name, found] : programs)
    found = support::findProgram(name, environment, files);
  return programs;
}

/// nvcc's text; std::nullopt if it fails. It takes a place, as nvcc runs the host compiler to ask
/// for its version. \p accesses gets what was looked at.
static std::optional<std::string> askNvcc(run::Seams &seams, const Command &nvcc,
                                          const run::JobRules &rules, Accesses &accesses) {
  auto job = run::waitForJob(rules);
  Command command = nvcc;
  command.argv = {nvcc.argv[0], "--dryrun"};
  for (size_t i = 1; i < nvcc.argv.size(); ++i)
    command.argv.add(nvcc.argv[i]);
  command.outputLimit = mostAnswer;
  auto answer = llvm::expectedToOptional(seams.runner.observe(command, accesses));
  if (!answer)
    return std::nullopt;
  bool isGood = answer->ended.ok() && answer->out.empty();
  return isGood ? std::optional(std::move(answer->err)) : std::nullopt;
}

/// What `nvcc --dryrun` prints, from \p folder if it is kept there.
static std::optional<std::string> keptOrAsked(run::Seams &seams, const Invocation &call,
                                              const Command &nvcc, const BuildFolder &folder,
                                              unsigned jobs, cache::CurrentFiles &current) {
  std::string question = questionOf(seams, call, nvcc);
  bool isKept = !asksForGpus(call);
  if (auto text = isKept ? folder.read(BuildFolder::dryrun) : std::nullopt)
    if (auto kept = cache::answerIn(*text, question, current))
      return kept;
  Accesses accesses;
  int64_t started = cache::currentTime();
  auto text = askNvcc(seams, nvcc, folder.rules(seams.environment, jobs), accesses);
  if (!text || !isKept)
    return text;
  if (auto inputs = cache::inputsOf(seams.files, seams.environment, accesses,
                                    {started, current.allVariables(), folder.str()}))
    llvm::consumeError(folder.write(BuildFolder::dryrun,
                                    cache::answerText({question, *text, std::move(*inputs)})));
  return text;
}

llvm::Expected<NvccSteps> askForSteps(run::Seams &seams, const Invocation &call,
                                      const Command &nvcc, const BuildFolder &folder, unsigned jobs,
                                      cache::CurrentFiles &current) {
  auto text = keptOrAsked(seams, call, nvcc, folder, jobs, current);
  if (!text)
    return llvm::createStringError("nvcc --dryrun fails");
  NvccSteps steps;
  steps.dryrun = readDryrun(*text);
  auto graph = makeGraph(steps.dryrun, depfileRequest(call, nvcc), folder.str());
  if (!graph)
    return graph.takeError();
  steps.graph = std::move(*graph);
  steps.programs = programsOf(seams.files, steps.dryrun, steps.graph);
  return steps;
}

} // namespace cudacc::ninja
