// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/NinjaBuild.h"
#include "driver/cache/Store.h"
#include "driver/pipeline/BuildFolder.h"
#include "driver/pipeline/BuildTrim.h"
#include "driver/pipeline/NvccSteps.h"
#include "driver/pipeline/StepInputs.h"
#include "driver/pipeline/StepLauncher.h"
#include "driver/plan/ninja/BuildFile.h"
#include "driver/plan/ninja/HostSplit.h"
#include "driver/plan/toolchain/Toolchain.h"
#include "driver/run/Jobs.h"
#include "driver/run/Signals.h"
#include "driver/support/PathSearch.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include <chrono>

namespace cudacc::pipeline {

using namespace core;
using llvm::StringRef;

namespace {

class NinjaBuild {
public:
  NinjaBuild(System &system, Reporter &report, const Call &call, const Command &command,
             StepLauncher launcher)
      : system(system), report(report), call(call), files(system.files), nvcc(command),
        launcher(std::move(launcher)), store(system.environment, system.files, system.uid),
        seen(system.files) {}

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
  /// Of each step.
  std::vector<std::string> generations;
  SeenFiles seen;

  bool fail(StringRef text) {
    because = text.str();
    return false;
  }
  std::string at(StringRef name) const { return fmt::format("{}/{}", folder, name); }
  std::optional<std::string> read(StringRef name) { return contentOf(files, at(name)); }
  bool write(StringRef name, StringRef content) {
    return writeChanged(files, at(name), content, 0600) ||
           fail("the build folder cannot be written");
  }
  bool mayBuild();
  bool findNinja();
  bool enterFolder();
  bool isDeliverable();
  void findGenerations();
  bool prepare();
  bool build();
  /// Steps that may run at a time.
  unsigned jobs() const;
  run::JobRules rules() const;
  std::optional<NinjaOutcome> finish();
  void replay(size_t count);
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
  std::string output =
      call.invocation.output
          ? call.invocation.output->str()
          : support::joined(call.invocation.sources, "\n", [](StringRef name) { return name; });
  std::string name = plan::digest(fmt::format("{}\n{}", workingDirectory, output));
  folder = fmt::format("{}/builds/{}", root, name);
  for (const std::string &path : {root + "/builds", root + "/builds/places", folder}) {
    llvm::Error error = files.makeDirectories(path, 0700);
    if (error) {
      llvm::consumeError(std::move(error));
      return fail("the build folder cannot be written");
    }
    if (files.stat(path).owner != system.uid)
      return fail("the build folder belongs to another user");
  }
  lock = store.lock(name);
  if (!lock)
    return fail("the build folder cannot be locked");
  llvm::consumeError(files.write(at(BuildFolder::used), "", 0600));
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

/// A step whose files outside changed gets a new generation, so that Ninja runs it.
void NinjaBuild::findGenerations() {
  std::string fresh =
      fmt::format("{}", std::chrono::system_clock::now().time_since_epoch().count());
  for (const plan::Step &step : graph.steps) {
    bool readsSources = step.kind == plan::StepKind::Preprocess ||
                        step.kind == plan::StepKind::HostCompile || !step.sources.empty();
    if (!readsSources || step.kind == plan::StepKind::Depfile) {
      generations.emplace_back("0");
      continue;
    }
    auto text = read(step.name + ".sources");
    auto sources = text ? readSources(*text) : std::nullopt;
    bool isSame = sources && llvm::all_of(sources->inputs,
                                          [&](const FileId &id) { return seen.isCurrent(id); });
    generations.push_back(isSame ? sources->generation : fresh);
  }
}

/// Changes with everything that \p placed depends on besides its inputs.
static std::string keyOf(const PlacedStep &placed, StringRef common) {
  const plan::Step &step = placed.step;
  const plan::DepfileRequest &depfile = step.depfile;
  std::string sources = support::joined(step.sources, "\n", [](StringRef path) { return path; });
  return plan::digest(fmt::format("{}\n{}\n{}\n{}\n{}\n{} {}\n{}", common, placed.workingDirectory,
                                  step.command, sources, depfile.target, depfile.withTargets,
                                  depfile.withoutSystem, placed.generation));
}

/// Writes what Ninja and the steps read.
bool NinjaBuild::prepare() {
  // Where a compile runs elsewhere, or its result is kept, it is one command.
  if (launcher.program.empty())
    plan::splitHostCompiles(graph, dryrun, folder);
  launchCompiles(system, launcher, root + "/builds", graph);
  findGenerations();
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
  for (const FileId &id : steps.programs)
    common += fmt::format("{} {} {} {}\n", id.path, id.inode, id.size, id.mtime);
  std::vector<std::string> keys, texts;
  std::string all = ninja;
  for (size_t i = 0; i < graph.steps.size(); ++i) {
    PlacedStep placed{graph.steps[i], i, workingDirectory, variables, generations[i]};
    texts.push_back(stepText(placed));
    keys.push_back(keyOf(placed, common));
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
  for (size_t i = 0; i < graph.steps.size(); ++i)
    if (!write(graph.steps[i].name + ".step", texts[i]))
      return false;
  return write(plan::DataImage::name, plan::DataImage::text) && write("build.ninja", *text) &&
         write(BuildFolder::state, state);
}

unsigned NinjaBuild::jobs() const {
  unsigned declared = call.declaration.jobs.value.count;
  return declared ? declared : run::processors();
}

run::JobRules NinjaBuild::rules() const {
  return {system.environment.getOr("MAKEFLAGS").str(), at(BuildFolder::ownPlace),
          root + "/builds/places", jobs()};
}

/// Runs Ninja. What it says itself is of no interest: steps keep what their commands print.
bool NinjaBuild::build() {
  std::string count = fmt::format("{}", jobs());
  for (StringRef name : files.list(folder))
    if (name.starts_with(BuildFolder::failed))
      files.remove(at(name));
  files.remove(at(BuildFolder::ran));
  Command command{ninja, {"ninja", "-C", folder, "-k", "0", "-j", count}, nvcc.unset, nvcc.set};
  command.set.emplace_back(BuildFolder::placesVariable.str(),
                           fmt::format("{}:{}/builds/places", count, root));
  run::SignalsHeld held;
  auto answer = system.runner.ask(command);
  if (!answer) {
    llvm::consumeError(answer.takeError());
    return fail("ninja does not start");
  }
  return true;
}

/// Prints what the first \p count steps printed.
void NinjaBuild::replay(size_t count) {
  if (!dryrun.diagnostics.empty())
    system.console.err(dryrun.diagnostics);
  for (const plan::Step &step : llvm::ArrayRef(graph.steps).take_front(count)) {
    if (step.isAdded)
      continue;
    if (auto text = read(step.name + ".out"))
      system.console.out(*text);
    if (auto text = read(step.name + ".err"))
      system.console.err(*text);
  }
}

/// Puts the outputs of the steps before \p before in their places.
bool NinjaBuild::deliver(size_t before) {
  for (const plan::Delivery &delivery : graph.deliveries) {
    if (delivery.step >= before)
      continue;
    auto content = read(delivery.made);
    llvm::Error error =
        content ? files.write(delivery.path, *content, 0666) : llvm::Error::success();
    bool isWritten = content && !error;
    llvm::consumeError(std::move(error));
    if (!isWritten)
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

std::optional<NinjaOutcome> NinjaBuild::finish() {
  size_t first = graph.steps.size();
  StepFailure failure;
  for (size_t i = graph.steps.size(); i-- > 0;)
    if (auto text = read(fmt::format("{}{}", BuildFolder::failed, i))) {
      first = i;
      failure = readFailure(*text);
    }
  // nvcc has words of its own for a program that was killed.
  bool isFailed = first < graph.steps.size();
  if (failure.signal) {
    fail("a program was killed");
    return std::nullopt;
  }
  for (const plan::Step &step : llvm::ArrayRef(graph.steps).take_front(first))
    for (const std::string &name : step.outputs)
      if (!files.stat(at(name)).exists()) {
        fail("ninja failed");
        return std::nullopt;
      }
  if (!deliver(first))
    return std::nullopt;
  // An assembler that fails removes the output, which a compiler has not written yet.
  for (const plan::Delivery &delivery : graph.deliveries)
    if (failure.removedOutput && delivery.step == first)
      files.remove(delivery.path);
  replay(std::min(first + 1, graph.steps.size()));
  if (!isFailed) {
    auto added = addToArchive();
    if (!added)
      return std::nullopt;
    failure.status = *added;
  }
  NinjaOutcome outcome{failure.status, {}};
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
      !askForSteps(system, call.invocation, nvcc, folder, rules(), seen, steps, because) ||
      !isDeliverable() || !prepare() || !build())
    return std::nullopt;
  auto outcome = finish();
  lock.reset();
  trimBuilds(system, store, root + "/builds");
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
