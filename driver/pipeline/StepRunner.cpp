// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/StepRunner.h"
#include "driver/pipeline/BuildFolder.h"
#include "driver/pipeline/StepRecord.h"
#include "driver/run/Jobs.h"
#include "driver/run/Signals.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::pipeline {

using namespace core;
using llvm::StringRef;
using End = StepFailure::End;

static constexpr size_t mostOutput = size_t(1) << 30;

namespace {

class StepRunner {
public:
  StepRunner(System &system, PlacedStep placed)
      : system(system), files(system.files), placed(std::move(placed)),
        folder(system.files.workingDirectory()) {}

  int run();

private:
  System &system;
  Files &files;
  PlacedStep placed;
  std::string folder;

  std::string at(StringRef name) const { return fmt::format("{}/{}", folder, name); }
  std::string own(StringRef extension) const { return at(placed.step.name + extension.str()); }
  std::optional<StepRecord::Digests> digestsOf(llvm::ArrayRef<std::string> names);
  bool isCurrent();
  int make(const std::optional<std::string> &content);
  std::optional<std::string> depfile();
  int runCommand();
  int ended(const Runner::Answer &answer, const Accesses &accesses, int64_t started);
  int fail(const StepFailure &failure);
  int runWhole() { return fail({}); }
  bool isPointless();
  std::optional<CommandInputs> inputsFrom(const Accesses &accesses, int64_t started);
  bool keep(StepRecord record);
};

} // namespace

namespace {
/// A folder that exists as long as the object does. cicc leaves files in TMPDIR if it fails, which
/// nvcc removes.
struct TemporaryFolder {
  Files &files;
  /// May be empty: no folder.
  std::string path;

  TemporaryFolder(Files &files, std::string path) : files(files), path(std::move(path)) {
    if (!this->path.empty())
      llvm::consumeError(files.makeDirectories(this->path, 0700));
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  ~TemporaryFolder() {
    if (path.empty())
      return;
    for (const std::string &name : files.list(path))
      files.remove(fmt::format("{}/{}", path, name));
    files.remove(path);
  }
};
} // namespace

/// Of files in the build folder. std::nullopt if one cannot be read.
std::optional<StepRecord::Digests> StepRunner::digestsOf(llvm::ArrayRef<std::string> names) {
  StepRecord::Digests digests;
  for (const std::string &name : names) {
    auto text = contentOf(files, at(name));
    if (!text)
      return std::nullopt;
    digests.emplace_back(name, contentDigest(*text));
  }
  return digests;
}

/// The record is that of the same command with the same inputs, and its outputs are there. The call
/// has compared the inputs outside of the folder, and gives the record's generation if they are
/// unchanged.
bool StepRunner::isCurrent() {
  auto text = contentOf(files, own(".record"));
  auto record = text ? readRecord(*text) : std::nullopt;
  if (!record || record->key != placed.key || record->generation != placed.generation ||
      record->read != digestsOf(placed.step.inputs))
    return false;
  // The command may have made more than what this graph uses.
  auto outputs = digestsOf(placed.step.outputs);
  return outputs && llvm::all_of(*outputs, [&](const auto &each) {
           return llvm::is_contained(record->made, each);
         });
}

/// Completes the record of a step that succeeded, and writes it. False if that fails.
bool StepRunner::keep(StepRecord record) {
  record.key = placed.key;
  record.generation = placed.generation;
  auto read = digestsOf(placed.step.inputs), made = digestsOf(placed.step.outputs);
  if (!read || !made)
    return false;
  record.read = std::move(*read);
  record.made = std::move(*made);
  llvm::Error error = files.write(own(".record"), recordText(record), 0600);
  bool isKept = !error;
  llvm::consumeError(std::move(error));
  return isKept;
}

/// Writes the output of a step of this program, which looks at its inputs alone.
int StepRunner::make(const std::optional<std::string> &content) {
  if (!content)
    return runWhole();
  llvm::Error error = files.write(at(placed.step.outputs.front()), *content);
  bool isMade = !error;
  llvm::consumeError(std::move(error));
  return isMade && keep({}) ? 0 : runWhole();
}

std::optional<std::string> StepRunner::depfile() {
  std::vector<std::string> texts;
  for (const std::string &name : placed.step.inputs) {
    auto text = contentOf(files, at(name));
    if (!text)
      return std::nullopt;
    texts.push_back(std::move(*text));
  }
  return plan::depfileText(texts, placed.step.sources.front(), placed.step.depfile);
}

/// nvcc would not have come to this step, as an earlier one failed.
bool StepRunner::isPointless() {
  return llvm::any_of(files.list(folder), [&](StringRef name) {
    uint64_t order = 0;
    return name.consume_front(BuildFolder::failed) && !name.getAsInteger(10, order) &&
           order < placed.order;
  });
}

int StepRunner::fail(const StepFailure &failure) {
  llvm::consumeError(files.write(at(fmt::format("{}{}", BuildFolder::failed, placed.order)),
                                 failureText(failure)));
  return 1;
}

/// Without inputs that are known, the record fits no call: the step runs each time.
std::optional<CommandInputs> StepRunner::inputsFrom(const Accesses &accesses, int64_t started) {
  bool isHost = placed.step.kind == plan::StepKind::Preprocess ||
                placed.step.kind == plan::StepKind::HostCompile;
  if (isHost && expandsToTime(placed.step.command))
    return std::nullopt;
  return inputsOf(system, accesses, folder, started, isHost, placed.allVariables);
}

int StepRunner::ended(const Runner::Answer &answer, const Accesses &accesses, int64_t started) {
  if (answer.ended.signal || run::SignalsHeld::received())
    return runWhole();
  if (answer.ended.status) {
    StepFailure failure{End::Failed, answer.ended.status, answer.out, answer.err, false};
    failure.removedOutput = placed.step.kind == plan::StepKind::HostCompile &&
                            !files.stat(at(placed.step.outputs.front())).exists();
    return fail(failure);
  }
  StepRecord record;
  record.out = answer.out;
  record.err = answer.err;
  if (auto inputs = inputsFrom(accesses, started))
    record.inputs = std::move(*inputs);
  else
    record.inputs.taken = CommandInputs::unknown;
  return keep(std::move(record)) ? 0 : runWhole();
}

int StepRunner::runCommand() {
  run::JobRules rules;
  rules.makeFlags = system.environment.getOr("MAKEFLAGS").str();
  rules.ownPlace = at(BuildFolder::ownPlace);
  auto [count, places] = system.environment.getOr(BuildFolder::placesVariable).split(':');
  rules.folder = places.str();
  if (count.getAsInteger(10, rules.count))
    return 1;
  run::SignalsHeld held;
  auto job = run::waitForJob(rules);
  if (!job || isPointless())
    return 1;
  llvm::consumeError(files.append(at(BuildFolder::ran), placed.step.name + "\n"));
  // Whether it removes an output that was there shows what nvcc's would have done.
  if (placed.step.kind == plan::StepKind::HostCompile)
    llvm::consumeError(files.write(at(placed.step.outputs.front()), ""));
  if (llvm::Error error = run::enterFolder(placed.workingDirectory)) {
    llvm::consumeError(std::move(error));
    return runWhole();
  }
  Command command{"/bin/sh", {"sh", "-c", placed.step.command}, {}, placed.variables};
  command.unset.push_back(BuildFolder::placesVariable.str());
  // A launcher may have its own use for TMPDIR: sccache puts a socket there, whose path is short.
  bool isOwn = placed.step.kind == plan::StepKind::DeviceCompile && !placed.step.isLaunched;
  TemporaryFolder temporary(files, isOwn ? own(".tmp") : std::string());
  if (!temporary.path.empty())
    command.set.emplace_back("TMPDIR", temporary.path);
  command.outputLimit = mostOutput;
  int64_t started = currentTime();
  Accesses accesses;
  // A launcher's server does not end with the step, and reads what the launcher does not.
  auto answer = placed.step.isLaunched ? system.runner.ask(command)
                                       : system.runner.observe(command, accesses);
  if (!answer) {
    llvm::consumeError(answer.takeError());
    return runWhole();
  }
  return ended(*answer, accesses, started);
}

int StepRunner::run() {
  if (isCurrent()) {
    // So that Ninja sees them behind the inputs.
    for (const std::string &name : placed.step.outputs)
      files.touch(at(name));
    return 0;
  }
  // From here on the outputs are those of no record.
  files.remove(own(".record"));
  switch (placed.step.kind) {
  case plan::StepKind::Copy:
    return make(contentOf(files, at(placed.step.inputs.front())));
  case plan::StepKind::Depfile:
    return make(depfile());
  default:
    return runCommand();
  }
}

std::optional<int> runStep(System &system, llvm::ArrayRef<StringRef> argv) {
  if (argv.size() != 4 || argv[1] != BuildFolder::stepOption)
    return std::nullopt;
  auto text = contentOf(system.files, fmt::format("{}.step", argv[2]));
  auto placed = text ? readStep(*text) : std::nullopt;
  return placed ? StepRunner(system, std::move(*placed)).run() : 1;
}

} // namespace cudacc::pipeline
