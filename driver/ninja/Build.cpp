// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/CommandInputs.h"
#include "driver/cache/Store.h"
#include "driver/cache/Variables.h"
#include "driver/ninja/BuildFolder.h"
#include "driver/ninja/Ninja.h"
#include "driver/ninja/NvccSteps.h"
#include "driver/ninja/Trim.h"
#include "driver/ninja/graph/BuildFile.h"
#include "driver/run/Jobs.h"
#include "driver/run/Signals.h"
#include "driver/support/MadeFiles.h"
#include "driver/support/PathSearch.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"
#include "driver/versions/Format.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::ninja {

using namespace core;
using llvm::StringRef;
using support::MadeFiles;

/// What `PROGRAM --version` says, kept while the program is the same.
static std::string versionText(run::Seams &seams, cache::Store &store, StringRef program) {
  FileId id = seams.files.stat(program).id;
  std::string question = fmt::format("{} {} {}", id.inode, id.size, id.mtime);
  cache::CurrentFiles current(seams.files, seams.environment);
  if (auto text = store.answer(program))
    if (auto kept = cache::answerIn(*text, question, current))
      return std::move(*kept);
  auto answer =
      llvm::expectedToOptional(seams.runner.ask({program.str(), {program, "--version"}, {}, {}}));
  if (!answer)
    return "";
  store.keepAnswer(program, cache::answerText({question, answer->out, {}}));
  return std::move(answer->out);
}

/// sccache knows cicc and ptxas from 0.10 on.
static bool cachesDeviceCode(run::Seams &seams, cache::Store &store, StringRef program) {
  if (support::nameOf(program) != "sccache")
    return false;
  std::string text = versionText(seams, store, program);
  auto version = versions::Version::parse(StringRef(text).trim().split(' ').second);
  return version && *version >= *versions::Version::parse("0.10");
}

/// Puts the launchers of \p call before the commands that they understand: compiles of the host
/// compiler, and for sccache 0.10 or newer those of cicc and ptxas. \p store keeps what sccache
/// said about its version.
static void launchCompiles(run::Seams &seams, cache::Store &store, const NvccCompile &call,
                           StepGraph &graph) {
  if (!call.launcherWords)
    return;
  std::string words;
  for (size_t i = 0; i < call.launcherWords; ++i)
    words += fmt::format("{} ", support::shellWord(call.command.argv[i]));
  bool withDevice = cachesDeviceCode(seams, store, call.command.program);
  for (Step &step : graph.steps) {
    bool isDevice = step.kind == StepKind::DeviceCompile || step.kind == StepKind::Assemble;
    step.isLaunched = step.kind == StepKind::HostCompile || (withDevice && isDevice);
    if (step.isLaunched)
      step.command.insert(0, words);
  }
}

/// What fails here nvcc reports as well: its own words are not needed.
static llvm::Error orWhole(llvm::Error error, const char *because) {
  if (!error)
    return error;
  llvm::consumeError(std::move(error));
  return llvm::createStringError(because);
}

static llvm::Error checkSplits(run::Seams &seams, const Invocation &call) {
  bool isCompile = call.kind == CallKind::Compile || call.kind == CallKind::Archive;
  if (!isCompile || call.sources.empty())
    return llvm::createStringError("no compile");
  if (call.verbose || call.danglingOption || !call.launchers.empty())
    return llvm::createStringError("nvcc's own output or launchers");
  for (StringRef depfile : {"DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES"})
    if (!seams.environment.getOr(depfile).empty())
      return llvm::createStringError(depfile);
  // Host compilers fail where it is closed, as they write to what they open in its place.
  if (!seams.files.readLink("/proc/self/fd/0"))
    return llvm::createStringError("stdin is closed");
  if (StringRef option = wholeOption(call); !option.empty())
    return llvm::createStringError(option);
  return llvm::Error::success();
}

/// Where Ninja is. The user is told once in each folder that there is none.
static llvm::Expected<std::string> findNinja(run::Seams &seams, const Declaration &declaration,
                                             StringRef builds) {
  Files &files = seams.files;
  std::string ninja = support::findProgram("ninja", seams.environment, files);
  if (!ninja.empty())
    return support::absolute(ninja, files);
  std::string said =
      fmt::format("{}/no-ninja-{}", builds, MadeFiles::digest(files.workingDirectory()));
  if (files.stat(said).exists())
    return llvm::createStringError("no ninja");
  llvm::consumeError(files.write(said, ""));
  return makeError(
      Code::NoNinja, "backend = \"ninja\", and there is no ninja on PATH",
      {{"backend", declaration.backend.origin.str()}, {"so", "nvcc runs the steps itself"}},
      {"install ninja 1.11 or newer", "write backend = \"nvcc\""});
}

namespace {
struct LockedFolder {
  BuildFolder folder;
  std::unique_ptr<FileLock> lock;
};
} // namespace

/// The folder for the call's working directory and output.
static llvm::Expected<LockedFolder> enterFolder(run::Seams &seams, cache::Store &store,
                                                const Invocation &call, StringRef builds) {
  Files &files = seams.files;
  std::string output = call.output ? call.output->str() : llvm::join(call.sources, "\n");
  std::string name = MadeFiles::digest(fmt::format("{}\n{}", files.workingDirectory(), output));
  std::string folder = fmt::format("{}/{}", builds, name);
  for (const std::string &path : {builds.str(), fmt::format("{}/places", builds), folder}) {
    if (llvm::Error error =
            orWhole(files.makeDirectories(path, 0700), "the build folder cannot be written"))
      return error;
    if (files.stat(path).owner != seams.uid)
      return llvm::createStringError("the build folder belongs to another user");
  }
  auto lock = store.lock(name);
  if (!lock)
    return llvm::createStringError("the build folder cannot be locked");
  noteUse(files, folder);
  return LockedFolder{BuildFolder(files, folder), std::move(lock)};
}

/// Nothing but a regular file is replaced, and nvcc itself says that a folder is missing.
static llvm::Error checkDeliverable(Files &files, const StepGraph &graph) {
  for (const Delivery &delivery : graph.deliveries) {
    FileStatus status = files.stat(delivery.path);
    StringRef parent = support::parentOf(delivery.path);
    bool isPlain = status.kind == FileStatus::Kind::Regular ||
                   (!status.exists() && !files.readLink(delivery.path));
    if (!isPlain || (!parent.empty() && !files.stat(parent).exists()))
      return llvm::createStringError("an output that is no ordinary file");
  }
  return llvm::Error::success();
}

/// Changes with everything that \p placed depends on besides files.
static std::string keyOf(const PlacedStep &placed, StringRef common) {
  const Step &step = placed.step;
  const DepfileRequest &depfile = step.depfile;
  auto lines = [](const std::vector<std::string> &texts) { return llvm::join(texts, "\n"); };
  // The command writes all of its outputs, whichever are used.
  return MadeFiles::digest(fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{} {}", common,
                                       placed.workingDirectory, step.command, lines(step.inputs),
                                       lines(step.sources), depfile.target, depfile.withTargets,
                                       depfile.withoutSystem));
}

/// What all steps depend on besides files, of variables and programs.
static std::string commonOf(const Environment &environment, const NvccSteps &steps) {
  std::string common = cache::variablesOfSteps(environment);
  for (const auto &[name, value] : steps.dryrun.variables)
    // What is in NVCC_*_FLAGS is in the commands.
    if (name != "PATH" && name != "LD_LIBRARY_PATH" && !StringRef(name).starts_with("NVCC_"))
      common += fmt::format("{}={}\n", name, value);
  for (const auto &[name, program] : steps.programs)
    common += fmt::format("{}\n", program);
  return common;
}

/// A step whose inputs outside of the folder are not known to be unchanged gets a new generation,
/// so that it runs.
static std::vector<PlacedStep> placeSteps(run::Seams &seams, const BuildFolder &folder,
                                          const NvccSteps &steps, cache::CurrentFiles &current,
                                          unsigned jobs) {
  std::vector<std::pair<std::string, std::string>> variables;
  for (const auto &[name, value] : steps.dryrun.variables) {
    // A later value replaces an earlier one.
    llvm::erase_if(variables, [&](const auto &each) { return each.first == name; });
    variables.emplace_back(name, value);
  }
  // Shells on the way to a step set it anew.
  if (auto folderName = seams.environment.get("PWD"))
    variables.emplace_back("PWD", folderName->str());
  std::string common = commonOf(seams.environment, steps);
  std::string fresh = fmt::format("{}", cache::currentTime());
  std::vector<PlacedStep> all;
  for (const Step &step : steps.graph.steps) {
    PlacedStep placed{
        step, all.size(), jobs, seams.files.workingDirectory(), variables, current.allVariables(),
        {},   fresh};
    placed.key = keyOf(placed, common);
    auto record = folder.record(step);
    if (record && record->key == placed.key && current.areUnchanged(record->inputs))
      placed.generation = record->generation;
    all.push_back(std::move(placed));
  }
  return all;
}

/// Writes what Ninja and the steps read, unless it is there. The digest of all of it is the first
/// line of build.ninja, which is removed first and written last.
static llvm::Error prepare(Files &files, const BuildFolder &folder, const StepGraph &graph,
                           llvm::ArrayRef<PlacedStep> steps, StringRef ninja, StringRef self) {
  static constexpr char unwritten[] = "the build folder cannot be written";
  std::vector<std::string> keys, texts;
  std::string all = ninja.str();
  for (const PlacedStep &placed : steps) {
    keys.push_back(fmt::format("{}-{}", placed.key, placed.generation));
    texts.push_back(stepText(placed));
    all += texts.back();
  }
  auto text = buildFile(
      graph, keys, fmt::format("exec {} {}", support::shellWord(self), BuildFolder::stepOption));
  if (!text)
    return llvm::createStringError("a name with a line feed");
  std::string head = fmt::format("# {}\n", MadeFiles::digest(all + *text));
  auto kept = folder.read(BuildFolder::buildFile);
  if (kept && StringRef(*kept).starts_with(head))
    return llvm::Error::success();
  files.remove(folder.at(BuildFolder::buildFile));
  for (const auto &[placed, stepsText] : llvm::zip_equal(steps, texts))
    if (llvm::Error error = folder.write(placed.step.name + ".step", stepsText))
      return orWhole(std::move(error), unwritten);
  return orWhole(folder.write(BuildFolder::buildFile, head + *text), unwritten);
}

/// Runs Ninja, whose own words nobody needs: steps keep what their commands print.
static llvm::Error runNinja(run::Seams &seams, const BuildFolder &folder, const std::string &ninja,
                            const Command &nvcc, unsigned jobs) {
  if (llvm::Error error = folder.forgetFailures())
    return orWhole(std::move(error), "the build folder cannot be written");
  Command command{ninja,
                  {"ninja", "-C", folder.str(), "-k", "0", "-j", fmt::format("{}", jobs)},
                  nvcc.unset,
                  nvcc.set};
  run::SignalsHeld held;
  return orWhole(seams.runner.ask(command).takeError(), "ninja does not start");
}

/// True if the program of \p step puts a new file in the place of \p path. Assemblers do that with
/// a file that is not empty, clang with every file; all other programs write into it.
static bool isReplaced(Files &files, const NvccSteps &steps, const Step &step, StringRef path) {
  if (step.kind != StepKind::HostCompile)
    return false;
  FileStatus old = files.stat(path);
  auto found = steps.programs.find(step.program);
  std::string program =
      found == steps.programs.end() ? "" : files.realPath(found->second).value_or("");
  return (old.exists() && old.id.size) || support::nameOf(program).contains("clang");
}

/// Puts the outputs of the steps before \p before in their places.
static llvm::Error deliver(Files &files, const BuildFolder &folder, const NvccSteps &steps,
                           size_t before) {
  for (const Delivery &delivery : steps.graph.deliveries) {
    if (delivery.step >= before)
      continue;
    auto content = folder.read(delivery.made);
    if (content && isReplaced(files, steps, steps.graph.steps[delivery.step], delivery.path))
      files.remove(delivery.path);
    if (!content)
      return llvm::createStringError("an output cannot be read");
    if (llvm::Error error = files.overwrite(delivery.path, *content, 0666))
      return orWhole(std::move(error), "an output cannot be written");
  }
  return llvm::Error::success();
}

/// nvcc's exit status is that of the program that failed.
static llvm::Expected<int> addToArchive(run::Seams &seams, const NvccSteps &steps) {
  if (steps.graph.archive.empty())
    return 0;
  Command command{"/bin/sh", {"sh", "-c", steps.graph.archive}, {}, steps.dryrun.variables};
  auto ended = seams.runner.spawn(command);
  if (!ended || ended->signal) {
    llvm::consumeError(ended.takeError());
    return llvm::createStringError("ar was killed");
  }
  return ended->status;
}

/// Delivers what the steps made that nvcc would have come to, and prints what they printed.
static llvm::Expected<NinjaOutcome> finish(run::Seams &seams, const BuildFolder &folder,
                                           const NvccSteps &steps,
                                           llvm::ArrayRef<PlacedStep> placed, int64_t started) {
  NinjaOutcome outcome;
  std::vector<std::optional<StepRecord>> left;
  for (const PlacedStep &step : placed) {
    left.push_back(folder.left(step));
    if (left.back() && left.back()->started >= started)
      outcome.ran.push_back(step.step.name);
  }
  auto isDone = [](const auto &record) { return record && record->end == StepEnd::Done; };
  size_t done = llvm::find_if_not(left, isDone) - left.begin();
  const StepRecord *failure = nullptr;
  if (done < left.size()) {
    if (!left[done])
      return llvm::createStringError("ninja failed");
    failure = &*left[done];
    // nvcc has words of its own for a program that was killed, and needs no room in the store.
    if (failure->end == StepEnd::RunWhole || !run::hasRoom(folder.str()))
      return llvm::createStringError("a step was killed, or the store is full");
  }
  if (llvm::Error error = deliver(seams.files, folder, steps, done))
    return error;
  // An assembler that fails removes the output, which a compiler has not written yet.
  for (const Delivery &delivery : steps.graph.deliveries)
    if (failure && failure->removedOutput && delivery.step == done)
      seams.files.remove(delivery.path);
  if (!steps.dryrun.diagnostics.empty())
    seams.console.err(steps.dryrun.diagnostics);
  for (const auto &record : llvm::ArrayRef(left).take_front(done + (failure ? 1 : 0))) {
    seams.console.out(record->out);
    seams.console.err(record->err);
  }
  auto status = failure ? llvm::Expected<int>(failure->status) : addToArchive(seams, steps);
  if (!status)
    return status.takeError();
  outcome.status = *status;
  return outcome;
}

/// nvcc with its arguments, without launchers.
static Command nvccOf(const NvccCompile &call) {
  Command nvcc{call.nvcc.str(), {}, call.command.unset, call.command.set};
  for (size_t i = call.launcherWords; i < call.command.argv.size(); ++i)
    nvcc.argv.addBorrowed(call.command.argv[i]);
  return nvcc;
}

/// Builds in \p locked, and releases it.
static llvm::Expected<NinjaOutcome> build(run::Seams &seams, cache::Store &store,
                                          const NvccCompile &call, const std::string &ninja,
                                          LockedFolder locked) {
  Files &files = seams.files;
  const BuildFolder &folder = locked.folder;
  unsigned declared = call.declaration.jobs.value.count;
  unsigned jobs = declared ? declared : run::processors();
  cache::CurrentFiles current(files, seams.environment);
  Command nvcc = nvccOf(call);
  auto steps = askForSteps(seams, call.invocation, nvcc, folder, jobs, current);
  if (!steps)
    return steps.takeError();
  if (llvm::Error error = checkDeliverable(files, steps->graph))
    return error;
  launchCompiles(seams, store, call, steps->graph);
  std::vector<PlacedStep> placed = placeSteps(seams, folder, *steps, current, jobs);
  if (llvm::Error error = prepare(files, folder, steps->graph, placed, ninja, seams.self))
    return error;
  int64_t started = cache::currentTime();
  if (llvm::Error error = runNinja(seams, folder, ninja, nvcc, jobs))
    return error;
  auto outcome = finish(seams, folder, *steps, placed, started);
  noteUse(files, folder.str());
  return outcome;
}

llvm::Expected<NinjaOutcome> compile(run::Seams &seams, const NvccCompile &call) {
  if (llvm::Error error = checkSplits(seams, call.invocation))
    return error;
  cache::Store store(seams.environment, seams.files, seams.uid);
  auto place = store.place();
  // The folder's path is part of commands and of the lines of build.ninja.
  if (!place || seams.files.workingDirectory().empty() || StringRef(*place).contains('\n'))
    return llvm::createStringError("no usable place for cuda-cc's own files");
  std::string builds = *place + "/builds";
  auto ninja = findNinja(seams, call.declaration, builds);
  if (!ninja)
    return ninja.takeError();
  auto locked = enterFolder(seams, store, call.invocation, builds);
  if (!locked)
    return locked.takeError();
  auto outcome = build(seams, store, call, *ninja, std::move(*locked));
  trimBuilds(seams.files, store, builds);
  return outcome;
}

} // namespace cudacc::ninja
