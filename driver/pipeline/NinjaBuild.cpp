// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/NinjaBuild.h"
#include "driver/cache/Store.h"
#include "driver/pipeline/BuildFolder.h"
#include "driver/pipeline/BuildTrim.h"
#include "driver/pipeline/NvccSteps.h"
#include "driver/pipeline/StepInputs.h"
#include "driver/pipeline/StepLauncher.h"
#include "driver/plan/ninja/BuildFile.h"
#include "driver/plan/toolchain/Toolchain.h"
#include "driver/run/Jobs.h"
#include "driver/run/Signals.h"
#include "driver/support/PathSearch.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::pipeline {

using namespace core;
using llvm::StringRef;

/// nvcc reports what fails here for it as well.
static bool succeeds(llvm::Error error) {
  bool isDone = !error;
  llvm::consumeError(std::move(error));
  return isDone;
}

namespace {

class NinjaBuild {
public:
  NinjaBuild(System &system, Reporter &report, const Call &call, const Command &command,
             StepLauncher launcher)
      : system(system), report(report), call(call), files(system.files), nvcc(command),
        launcher(std::move(launcher)), store(system.environment, system.files, system.uid),
        current(system) {}

  std::optional<NinjaOutcome> run();

  std::string because;

private:
  System &system;
  Reporter &report;
  const Call &call;
  Files &files;
  /// nvcc with its arguments, without launchers.
  Command nvcc;
  StepLauncher launcher;
  cache::Store store;
  std::string root, folder, ninja, workingDirectory;
  std::unique_ptr<FileLock> lock;
  NvccSteps steps;
  plan::Dryrun &dryrun = steps.dryrun;
  plan::StepGraph &graph = steps.graph;
  /// Of each step: what it is now, and once Ninja ran, what it left.
  std::vector<PlacedStep> placed;
  std::vector<StepRecord> records;
  CurrentFiles current;

  bool fail(StringRef text) {
    because = text.str();
    return false;
  }
  std::string at(StringRef name) const { return fmt::format("{}/{}", folder, name); }
  std::optional<std::string> read(StringRef name) { return contentOf(files, at(name)); }
  std::optional<StepRecord> recordOf(const plan::Step &step) {
    auto text = read(step.name + ".record");
    return text ? readRecord(*text) : std::nullopt;
  }
  bool write(StringRef name, StringRef content) {
    return succeeds(files.write(at(name), content, 0600)) ||
           fail("the build folder cannot be written");
  }
  bool mayBuild();
  bool findNinja();
  bool enterFolder();
  bool isDeliverable();
  void placeSteps();
  bool prepare();
  bool build();
  /// Steps that may run at a time.
  unsigned jobs() const;
  run::JobRules rules() const;
  std::optional<NinjaOutcome> finish();
  bool readRecords(size_t count);
  void replay();
  std::optional<StepFailure> firstFailure(size_t &first);
  bool isReplaced(const plan::Step &step, StringRef path);
  bool deliver(size_t before);
  std::optional<int> addToArchive();
};

} // namespace

bool NinjaBuild::mayBuild() {
  const Invocation &invocation = call.invocation;
  bool isCompile = invocation.kind == CallKind::Compile || invocation.kind == CallKind::Archive;
  if (!isCompile || invocation.sources.empty())
    return fail("no compile");
  if (invocation.verbose || invocation.danglingOption || !invocation.launchers.empty())
    return fail("nvcc's own output or launchers");
  // Host compilers fail where it is closed, as they write to what they open in its place.
  if (!files.readLink("/proc/self/fd/0"))
    return fail("stdin is closed");
  if (StringRef option = wholeOption(invocation); !option.empty())
    return fail(option);
  return true;
}

/// Says once in each folder that there is no Ninja.
bool NinjaBuild::findNinja() {
  ninja = support::findProgram("ninja", system.environment, files);
  if (!ninja.empty()) {
    ninja = support::absolute(ninja, files);
    return true;
  }
  std::string said = fmt::format("{}/builds/no-ninja-{}", root, plan::digest(workingDirectory));
  if (!files.stat(said).exists()) {
    Finding finding;
    finding.code = Code::NoNinja;
    finding.severity = Severity::Remark;
    finding.message = "backend = \"ninja\", and there is no ninja on PATH";
    finding.facts = {{"backend", call.declaration.backend.origin.str()},
                     {"so", "nvcc runs the steps itself"}};
    finding.fixes = {"install ninja 1.11 or newer", "write backend = \"nvcc\""};
    report.printDiagnostics(finding);
    llvm::consumeError(files.write(said, ""));
  }
  return fail("no ninja");
}

/// One folder for a working directory and output.
bool NinjaBuild::enterFolder() {
  std::string output = call.invocation.output ? call.invocation.output->str()
                                              : llvm::join(call.invocation.sources, "\n");
  std::string name = plan::digest(fmt::format("{}\n{}", workingDirectory, output));
  folder = fmt::format("{}/builds/{}", root, name);
  for (const std::string &path : {root + "/builds", root + "/builds/places", folder}) {
    if (!succeeds(files.makeDirectories(path, 0700)))
      return fail("the build folder cannot be written");
    if (files.stat(path).owner != system.uid)
      return fail("the build folder belongs to another user");
  }
  lock = store.lock(name);
  if (!lock)
    return fail("the build folder cannot be locked");
  noteUse(files, folder);
  return true;
}

/// Nothing but a regular file is replaced, and nvcc itself says that a folder is missing.
bool NinjaBuild::isDeliverable() {
  for (const plan::Delivery &delivery : graph.deliveries) {
    FileStatus status = files.stat(delivery.path);
    StringRef parent = support::parentOf(delivery.path);
    bool isPlain = status.kind == FileStatus::Kind::Regular ||
                   (!status.exists() && !files.readLink(delivery.path));
    if (!isPlain || (!parent.empty() && !files.stat(parent).exists()))
      return fail("an output that is no ordinary file");
  }
  return true;
}

/// Changes with everything that \p placed depends on besides files.
static std::string keyOf(const PlacedStep &placed, StringRef common) {
  const plan::Step &step = placed.step;
  const plan::DepfileRequest &depfile = step.depfile;
  auto lines = [](const std::vector<std::string> &texts) { return llvm::join(texts, "\n"); };
  // The command writes all of its outputs, whichever are used.
  return plan::digest(fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{} {}", common, placed.workingDirectory,
                                  step.command, lines(step.inputs), lines(step.sources),
                                  depfile.target, depfile.withTargets, depfile.withoutSystem));
}

/// A step whose inputs outside of the folder are not known to be unchanged gets a new generation,
/// so that it runs.
void NinjaBuild::placeSteps() {
  std::vector<std::pair<std::string, std::string>> variables;
  std::string common = variablesOfSteps(system.environment);
  for (const auto &[name, value] : dryrun.variables) {
    // A later value replaces an earlier one.
    llvm::erase_if(variables, [&](const auto &each) { return each.first == name; });
    variables.emplace_back(name, value);
    // What is in NVCC_*_FLAGS is in the commands.
    if (name != "PATH" && name != "LD_LIBRARY_PATH" && !StringRef(name).starts_with("NVCC_"))
      common += fmt::format("{}={}\n", name, value);
  }
  for (const auto &[name, program] : steps.programs)
    common += fmt::format("{}\n", program);
  std::string fresh = fmt::format("{}", currentTime());
  for (const plan::Step &step : graph.steps) {
    PlacedStep its{step, placed.size(), workingDirectory, variables, current.allVariables(),
                   {},   fresh};
    its.key = keyOf(its, common);
    auto record = recordOf(step);
    if (record && record->key == its.key && current.areUnchanged(record->inputs))
      its.generation = record->generation;
    placed.push_back(std::move(its));
  }
}

/// Writes what Ninja and the steps read.
bool NinjaBuild::prepare() {
  launchCompiles(system, launcher, root + "/builds", graph);
  placeSteps();
  std::vector<std::string> keys, texts;
  std::string all = ninja;
  for (const PlacedStep &step : placed) {
    texts.push_back(stepText(step));
    keys.push_back(fmt::format("{}-{}", step.key, step.generation));
    all += texts.back();
  }
  std::string runner =
      fmt::format("exec {} {}", support::shellWord(system.self), BuildFolder::stepOption);
  auto text = plan::buildFile(graph, keys, runner);
  if (!text)
    return fail("a name with a line feed");
  std::string state = plan::digest(all + *text);
  if (read(BuildFolder::state) == state)
    return true;
  files.remove(at(BuildFolder::state));
  for (const auto &[step, stepsText] : llvm::zip_equal(graph.steps, texts))
    if (!write(step.name + ".step", stepsText))
      return false;
  return write("build.ninja", *text) && write(BuildFolder::state, state);
}

unsigned NinjaBuild::jobs() const {
  unsigned declared = call.declaration.jobs.value.count;
  return declared ? declared : run::processors();
}

run::JobRules NinjaBuild::rules() const {
  return {system.environment.getOr("MAKEFLAGS").str(), at(BuildFolder::ownPlace),
          root + "/builds/places", jobs()};
}

/// Runs Ninja, whose own words nobody needs: steps keep what their commands print.
bool NinjaBuild::build() {
  std::string count = fmt::format("{}", jobs());
  auto names = llvm::expectedToOptional(files.readDirectory(folder));
  if (!names)
    return fail("the build folder cannot be read");
  for (StringRef name : *names)
    if (name.starts_with(BuildFolder::failed) && !files.remove(at(name)))
      return fail("the build folder cannot be written");
  files.remove(at(BuildFolder::ran));
  Command command{ninja, {"ninja", "-C", folder, "-k", "0", "-j", count}, nvcc.unset, nvcc.set};
  command.set.emplace_back(BuildFolder::placesVariable.str(),
                           fmt::format("{}:{}/builds/places", count, root));
  run::SignalsHeld held;
  auto answer = system.runner.ask(command);
  return succeeds(answer.takeError()) || fail("ninja does not start");
}

/// Reads the records of the first \p count steps. False if one is missing.
bool NinjaBuild::readRecords(size_t count) {
  for (const PlacedStep &step : llvm::ArrayRef(placed).take_front(count)) {
    auto record = recordOf(step.step);
    if (!record || record->key != step.key)
      return fail("ninja failed");
    records.push_back(std::move(*record));
  }
  return true;
}

/// Prints what the steps printed whose records were read.
void NinjaBuild::replay() {
  if (!dryrun.diagnostics.empty())
    system.console.err(dryrun.diagnostics);
  for (const StepRecord &record : records) {
    system.console.out(record.out);
    system.console.err(record.err);
  }
}

/// True if the program of \p step puts a new file in the place of \p path. Assemblers do that with
/// a file that is not empty, clang with every file; all other programs write into it.
bool NinjaBuild::isReplaced(const plan::Step &step, StringRef path) {
  if (step.kind != plan::StepKind::HostCompile)
    return false;
  FileStatus old = files.stat(path);
  std::string program = files.realPath(steps.programs[step.program]).value_or("");
  return (old.exists() && old.id.size) || support::nameOf(program).contains("clang");
}

/// Puts the outputs of the steps before \p before in their places.
bool NinjaBuild::deliver(size_t before) {
  for (const plan::Delivery &delivery : graph.deliveries) {
    if (delivery.step >= before)
      continue;
    auto content = read(delivery.made);
    if (content && isReplaced(graph.steps[delivery.step], delivery.path))
      files.remove(delivery.path);
    if (!content || !succeeds(files.overwrite(delivery.path, *content, 0666)))
      return fail("an output cannot be written");
  }
  return true;
}

/// nvcc's exit status is that of the program that failed.
std::optional<int> NinjaBuild::addToArchive() {
  if (graph.archive.empty())
    return 0;
  Command command{"/bin/sh", {"sh", "-c", graph.archive}, {}, dryrun.variables};
  auto ended = system.runner.spawn(command);
  if (!ended || ended->signal) {
    llvm::consumeError(ended.takeError());
    fail("ar was killed");
    return std::nullopt;
  }
  return ended->status;
}

/// What the first step that failed, in nvcc's order, left; std::nullopt if none did. \p first: its
/// index.
std::optional<StepFailure> NinjaBuild::firstFailure(size_t &first) {
  for (first = 0; first < graph.steps.size(); ++first)
    if (auto text = read(fmt::format("{}{}", BuildFolder::failed, first)))
      return readFailure(*text);
  return std::nullopt;
}

std::optional<NinjaOutcome> NinjaBuild::finish() {
  size_t first = 0;
  auto failure = firstFailure(first);
  // nvcc has words of its own for a program that was killed, and needs no room in the store.
  bool isWhole = failure && (failure->end == StepFailure::End::RunWhole || !run::hasRoom(folder));
  if (isWhole) {
    fail("a step was killed, or the store is full");
    return std::nullopt;
  }
  if (!readRecords(first) || !deliver(first))
    return std::nullopt;
  // An assembler that fails removes the output, which a compiler has not written yet.
  for (const plan::Delivery &delivery : graph.deliveries)
    if (failure && failure->removedOutput && delivery.step == first)
      files.remove(delivery.path);
  replay();
  NinjaOutcome outcome;
  if (failure) {
    system.console.out(failure->out);
    system.console.err(failure->err);
    outcome.status = failure->status;
  } else {
    auto added = addToArchive();
    if (!added)
      return std::nullopt;
    outcome.status = *added;
  }
  std::string ran = read(BuildFolder::ran).value_or("");
  for (StringRef name : llvm::split(ran, '\n'))
    if (!name.empty())
      outcome.ran.push_back(name.str());
  return outcome;
}

std::optional<NinjaOutcome> NinjaBuild::run() {
  workingDirectory = files.workingDirectory();
  if (!mayBuild())
    return std::nullopt;
  auto place = store.place();
  // The folder's path is part of commands and of the lines of build.ninja.
  if (!place || workingDirectory.empty() || StringRef(*place).contains('\n')) {
    fail("no usable place for cuda-cc's own files");
    return std::nullopt;
  }
  root = *place;
  if (!findNinja() || !enterFolder() ||
      !askForSteps(system, call.invocation, nvcc, folder, rules(), current, steps, because) ||
      !isDeliverable() || !prepare() || !build())
    return std::nullopt;
  auto outcome = finish();
  noteUse(files, folder);
  lock.reset();
  trimBuilds(files, store, root + "/builds");
  return outcome;
}

std::optional<NinjaOutcome> buildWithNinja(System &system, Reporter &report, const Call &call,
                                           const Command &command, std::string &because) {
  Command nvcc{call.compiler.compiler, {}, command.unset, command.set};
  size_t launchers = call.compiler.command.argv.size() - 1;
  StepLauncher launcher;
  if (launchers)
    launcher.program = command.program;
  for (size_t i = 0; i < launchers; ++i)
    launcher.words += fmt::format("{} ", support::shellWord(command.argv[i]));
  for (size_t i = launchers; i < command.argv.size(); ++i)
    nvcc.argv.addBorrowed(command.argv[i]);
  NinjaBuild build(system, report, call, nvcc, std::move(launcher));
  auto outcome = build.run();
  because = std::move(build.because);
  return outcome;
}

} // namespace cudacc::pipeline
