// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/CommandInputs.h"
#include "driver/ninja/BuildFolder.h"
#include "driver/ninja/Ninja.h"
#include "driver/run/Jobs.h"
#include "driver/run/Signals.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::ninja {

using namespace core;
using llvm::StringRef;

static constexpr size_t mostOutput = size_t(1) << 30;

namespace {

class StepRunner {
public:
  StepRunner(run::Seams &seams, PlacedStep placed)
      : seams(seams), files(seams.files), placed(std::move(placed)),
        folder(seams.files, seams.files.workingDirectory()) {}

  int run();

private:
  run::Seams &seams;
  Files &files;
  PlacedStep placed;
  BuildFolder folder;

  const Step &step() const { return placed.step; }
  bool isHost() const {
    return step().kind == StepKind::Preprocess || step().kind == StepKind::HostCompile;
  }
  std::optional<StepRecord::Digests> digestsOf(llvm::ArrayRef<std::string> names);
  bool isCurrent();
  StepRecord write(const std::optional<std::string> &content);
  std::optional<std::string> depfile();
  int runCommand();
  StepRecord ended(const Runner::Answer &answer, const Accesses &accesses, int64_t started);
  bool removeOthers(const Accesses &accesses);
  std::optional<cache::CommandInputs> inputsFrom(const Accesses &accesses, int64_t started);
  int keep(StepRecord record);
};

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
    auto text = folder.read(name);
    if (!text)
      return std::nullopt;
    digests.emplace_back(name, cache::contentDigest(*text));
  }
  return digests;
}

/// The record is that of the same command with the same inputs, and its outputs are there. The call
/// has compared the inputs outside of the folder, and gives the record's generation if they are
/// unchanged.
bool StepRunner::isCurrent() {
  auto record = folder.record(step());
  if (!record || record->key != placed.key || record->generation != placed.generation ||
      record->read != digestsOf(step().inputs))
    return false;
  // The command may have made more than what this graph uses.
  auto outputs = digestsOf(step().outputs);
  return outputs && llvm::all_of(*outputs, [&](const auto &each) {
           return llvm::is_contained(record->made, each);
         });
}

/// Completes and writes what the step left; returns its exit status.
int StepRunner::keep(StepRecord record) {
  if (record.end == StepEnd::Done) {
    record.key = placed.key;
    record.generation = placed.generation;
    auto read = digestsOf(step().inputs), made = digestsOf(step().outputs);
    if (read && made) {
      record.read = std::move(*read);
      record.made = std::move(*made);
      llvm::Error error = folder.keep(placed, record);
      if (!error)
        return 0;
      llvm::consumeError(std::move(error));
    }
    record = {};
  }
  llvm::consumeError(folder.keep(placed, record));
  return 1;
}

/// Writes the output of a step of this program, which looks at its inputs alone.
StepRecord StepRunner::write(const std::optional<std::string> &content) {
  StepRecord record;
  if (!content)
    return record;
  llvm::Error error = files.write(folder.at(step().outputs.front()), *content);
  record.end = error ? StepEnd::RunWhole : StepEnd::Done;
  llvm::consumeError(std::move(error));
  return record;
}

std::optional<std::string> StepRunner::depfile() {
  std::vector<std::string> texts;
  for (const std::string &name : step().inputs) {
    auto text = folder.read(name);
    if (!text)
      return std::nullopt;
    texts.push_back(std::move(*text));
  }
  return depfileText(texts, step().sources.front(), step().depfile);
}

std::optional<cache::CommandInputs> StepRunner::inputsFrom(const Accesses &accesses,
                                                           int64_t started) {
  // A step that is skipped would not make what this one made elsewhere.
  bool hasMadeOthers = llvm::any_of(
      accesses.made, [&](StringRef path) { return !support::isBelow(path, folder.str()); });
  if (hasMadeOthers || (isHost() && cache::expandsToTime(step().command)))
    return std::nullopt;
  return cache::inputsOf(files, seams.environment, accesses,
                         {started, placed.allVariables, folder.str(), isHost()});
}

/// Removes what the command put beside its outputs: nvcc's own command would put that beside nvcc's
/// output. Returns whether there was any. Temporary files may go unused.
bool StepRunner::removeOthers(const Accesses &accesses) {
  bool hasOthers = false;
  for (StringRef path : accesses.made) {
    StringRef name = support::pathBelow(path, folder.str());
    bool isExpected = name.starts_with("tmpxft_") || llvm::is_contained(step().outputs, name);
    if (name.empty() || name.contains('/') || isExpected)
      continue;
    hasOthers = true;
    files.remove(path);
  }
  return hasOthers;
}

StepRecord StepRunner::ended(const Runner::Answer &answer, const Accesses &accesses,
                             int64_t started) {
  StepRecord record;
  if (answer.ended.signal || run::SignalsHeld::received())
    return record;
  record.end = answer.ended.status ? StepEnd::Failed : StepEnd::Done;
  record.status = answer.ended.status;
  record.out = answer.out;
  record.err = answer.err;
  record.started = started;
  if (record.end == StepEnd::Failed) {
    record.removedOutput = step().kind == StepKind::HostCompile &&
                           !files.stat(folder.at(step().outputs.front())).exists();
    return record;
  }
  // The output that was there is empty: the command wrote none.
  bool isEmpty = step().kind == StepKind::HostCompile &&
                 files.stat(folder.at(step().outputs.front())).id.size == 0;
  if (removeOthers(accesses) || isEmpty)
    return {};
  // Without inputs that are known, the record fits no call: the step runs each time.
  record.inputs.taken = cache::CommandInputs::unknown;
  if (auto inputs = inputsFrom(accesses, started))
    record.inputs = std::move(*inputs);
  return record;
}

int StepRunner::runCommand() {
  run::SignalsHeld held;
  auto job = run::waitForJob(folder.rules(seams.environment, placed.jobs));
  if (!job || folder.hasFailedBefore(placed.order))
    return 1;
  // Of an earlier command.
  for (const std::string &name : step().outputs)
    files.remove(folder.at(name));
  // Whether it removes an output that was there shows what nvcc's would have done.
  if (step().kind == StepKind::HostCompile)
    llvm::consumeError(files.write(folder.at(step().outputs.front()), ""));
  if (llvm::Error error = run::enterFolder(placed.workingDirectory)) {
    llvm::consumeError(std::move(error));
    return keep({});
  }
  Command command{"/bin/sh", {"sh", "-c", step().command}, {}, placed.variables};
  // A launcher may have its own use for TMPDIR: sccache puts a socket there, whose path is short.
  bool isOwn = step().kind == StepKind::DeviceCompile && !step().isLaunched;
  TemporaryFolder temporary(files, isOwn ? folder.at(step().name + ".tmp") : std::string());
  if (!temporary.path.empty())
    command.set.emplace_back("TMPDIR", temporary.path);
  command.outputLimit = mostOutput;
  int64_t started = cache::currentTime();
  Accesses accesses;
  // A launcher's server does not end with the step, and reads what the launcher does not.
  auto answer =
      step().isLaunched ? seams.runner.ask(command) : seams.runner.observe(command, accesses);
  if (!answer) {
    llvm::consumeError(answer.takeError());
    return keep({});
  }
  return keep(ended(*answer, accesses, started));
}

int StepRunner::run() {
  if (isCurrent()) {
    // So that Ninja sees them behind the inputs.
    for (const std::string &name : step().outputs)
      files.touch(folder.at(name));
    return 0;
  }
  folder.forget(step());
  switch (step().kind) {
  case StepKind::Copy:
    return keep(write(folder.read(step().inputs.front())));
  case StepKind::Depfile:
    return keep(write(depfile()));
  default:
    return runCommand();
  }
}

std::optional<int> runStep(run::Seams &seams, llvm::ArrayRef<StringRef> argv) {
  if (argv.size() != 4 || argv[1] != BuildFolder::stepOption)
    return std::nullopt;
  auto text = cache::contentOf(seams.files, fmt::format("{}.step", argv[2]));
  auto placed = text ? readStep(*text) : std::nullopt;
  return placed ? StepRunner(seams, std::move(*placed)).run() : 1;
}

} // namespace cudacc::ninja
