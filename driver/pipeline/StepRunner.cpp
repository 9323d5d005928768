// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/StepRunner.h"
#include "driver/pipeline/BuildFolder.h"
#include "driver/plan/ninja/EmbeddedFatbin.h"
#include "driver/run/Jobs.h"
#include "driver/run/Signals.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <chrono>

namespace cudacc::pipeline {

using namespace core;
using llvm::StringRef;

static constexpr size_t mostOutput = size_t(1) << 30;

namespace {

class StepRunner {
public:
  StepRunner(System &system, PlacedStep placed)
      : system(system), placed(std::move(placed)), folder(system.files.workingDirectory()) {}

  int run();

private:
  System &system;
  PlacedStep placed;
  std::string folder;

  std::string at(StringRef name) const { return fmt::format("{}/{}", folder, name); }
  std::string own(StringRef extension) const { return at(placed.step.name + extension.str()); }
  int copy();
  int makeDepfile();
  int make(const std::optional<std::string> &content);
  int includeData();
  int extractData();
  int runCommand();
  bool isPointless();
  int end(const ExitStatus &ended);
  bool restoreUnchanged();
  void keepText(StringRef extension, StringRef text);
  void recordSources(int64_t started);
  std::vector<std::string> sourcesRead(bool &known);
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

static int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// Writes the output of a step of this program, unless it has that content. Without it, this call
/// is not built from the steps.
int StepRunner::make(const std::optional<std::string> &content) {
  const std::string &name = placed.step.outputs.front();
  bool isMade = content && writeChanged(system.files, at(name), *content, 0644);
  return isMade ? 0 : end({0, 1});
}

int StepRunner::copy() { return make(contentOf(system.files, at(placed.step.inputs.front()))); }

int StepRunner::makeDepfile() {
  std::vector<std::string> texts;
  for (const std::string &name : placed.step.inputs) {
    auto text = contentOf(system.files, at(name));
    if (!text)
      return make(std::nullopt);
    texts.push_back(std::move(*text));
  }
  return make(plan::depfileText(texts, placed.step.sources.front(), placed.step.depfile));
}

int StepRunner::includeData() {
  auto example = contentOf(system.files, at(placed.step.inputs.front()));
  return make(example ? plan::withIncludedData(*example, placed.step.includedPath) : std::nullopt);
}

int StepRunner::extractData() {
  auto data = contentOf(system.files, at(placed.step.inputs.front()));
  auto including = contentOf(system.files, at(placed.step.inputs.back()));
  return make(data && including ? plan::includedData(*data, *including) : std::nullopt);
}

/// nvcc would not have come to this step, as an earlier one failed.
bool StepRunner::isPointless() {
  return llvm::any_of(system.files.list(folder), [&](StringRef name) {
    uint64_t order = 0;
    return name.consume_front(BuildFolder::failed) && !name.getAsInteger(10, order) &&
           order < placed.order;
  });
}

void StepRunner::keepText(StringRef extension, StringRef text) {
  if (text.empty())
    system.files.remove(own(extension));
  else
    llvm::consumeError(system.files.write(own(extension), text));
}

/// Gives outputs that did not change their old file, by whose time Ninja sees it. False if an
/// output is missing.
bool StepRunner::restoreUnchanged() {
  for (const std::string &name : placed.step.outputs) {
    auto made = contentOf(system.files, at(name));
    if (!made)
      return false;
    if (contentOf(system.files, at(name + ".old")) == made)
      llvm::consumeError(system.files.rename(at(name + ".old"), at(name)));
    else
      system.files.remove(at(name + ".old"));
  }
  return true;
}

/// The paths in a depfile of a host compiler; \p known is false without one.
std::vector<std::string> StepRunner::sourcesRead(bool &known) {
  std::vector<std::string> paths = placed.step.sources;
  bool isHost = placed.step.kind == plan::StepKind::Preprocess ||
                placed.step.kind == plan::StepKind::HostCompile;
  auto text = isHost ? contentOf(system.files, own(".d")) : std::nullopt;
  known = text || !isHost;
  if (!text)
    return paths;
  StringRef rest = StringRef(*text).split(':').second;
  std::string path;
  auto take = [&] {
    bool isOwn = support::isBelow(path, folder);
    if (!path.empty() && !isOwn)
      paths.push_back(path);
    path.clear();
  };
  for (size_t i = 0; i < rest.size(); ++i) {
    char c = rest[i], next = i + 1 < rest.size() ? rest[i + 1] : '\n';
    if (c == '\\' && (next == ' ' || next == '#'))
      path += rest[++i];
    else if (c == '$' && next == '$')
      path += rest[++i];
    else if (c == ' ' || c == '\n' || (c == '\\' && next == '\n'))
      take();
    else
      path += c;
  }
  take();
  return paths;
}

/// Records what was read, so that the step runs again once a file is another. Without a record it
/// runs again in any case: a file changed meanwhile, or expands to the time.
void StepRunner::recordSources(int64_t started) {
  // Times of files are taken from a clock that lags by a tick.
  static constexpr int64_t tick = 10'000'000;
  bool known = false;
  StepSources sources{placed.generation, {}};
  system.files.remove(own(".sources"));
  for (const std::string &path : sourcesRead(known)) {
    FileStatus status = system.files.stat(path);
    auto text = contentOf(system.files, path);
    if (!status.exists() || status.id.mtime >= started - tick || !text ||
        StringRef(*text).contains("__TIME__") || StringRef(*text).contains("__DATE__"))
      return;
    sources.inputs.push_back(std::move(status.id));
  }
  if (known)
    llvm::consumeError(system.files.write(own(".sources"), sourcesText(sources)));
}

int StepRunner::end(const ExitStatus &ended) {
  if (!ended.status && !ended.signal)
    return 0;
  StepFailure failure{ended.status, ended.signal};
  // What nvcc's one command says of bad assembly, it says itself.
  if (placed.step.isAdded || placed.step.kind == plan::StepKind::HostAssemble)
    failure.signal = 1;
  failure.removedOutput = placed.step.kind == plan::StepKind::HostCompile &&
                          !system.files.stat(at(placed.step.outputs.front())).exists();
  // With its old outputs the step is as before this call, and what follows is compared with them.
  for (const std::string &name : placed.step.outputs) {
    system.files.remove(at(name));
    llvm::consumeError(system.files.rename(at(name + ".old"), at(name)));
  }
  llvm::consumeError(system.files.write(at(fmt::format("{}{}", BuildFolder::failed, placed.order)),
                                        failureText(failure)));
  return 1;
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
  llvm::consumeError(system.files.append(at(BuildFolder::ran), placed.step.name + "\n"));
  for (const std::string &name : placed.step.outputs)
    llvm::consumeError(system.files.rename(at(name), at(name + ".old")));
  // Whether it removes an output that was there shows what nvcc's would have done.
  if (placed.step.kind == plan::StepKind::HostCompile)
    llvm::consumeError(system.files.write(at(placed.step.outputs.front()), ""));
  // What it printed before is that of another run.
  for (const char *extension : {".out", ".err"})
    system.files.remove(own(extension));
  if (llvm::Error error = run::enterFolder(placed.workingDirectory)) {
    llvm::consumeError(std::move(error));
    return end({0, 1});
  }
  Command command{"/bin/sh", {"sh", "-c", placed.step.command}, {}, placed.variables};
  command.unset.push_back(BuildFolder::placesVariable.str());
  // A launcher may have its own use for TMPDIR: sccache puts a socket there, whose path is short.
  bool isOwn = placed.step.kind == plan::StepKind::DeviceCompile && !placed.step.isLaunched;
  TemporaryFolder temporary(system.files, isOwn ? own(".tmp") : std::string());
  if (!temporary.path.empty())
    command.set.emplace_back("TMPDIR", temporary.path);
  command.outputLimit = mostOutput;
  int64_t started = now();
  auto answer = system.runner.ask(command);
  if (!answer) {
    llvm::consumeError(answer.takeError());
    return end({0, 1});
  }
  if (run::SignalsHeld::received())
    return end({0, run::SignalsHeld::received()});
  keepText(".out", answer->out);
  keepText(".err", answer->err);
  if (answer->ended.status || answer->ended.signal)
    return end(answer->ended);
  if (!restoreUnchanged())
    return end({0, 1});
  recordSources(started);
  return 0;
}

int StepRunner::run() {
  switch (placed.step.kind) {
  case plan::StepKind::Copy:
    return copy();
  case plan::StepKind::Depfile:
    return makeDepfile();
  case plan::StepKind::IncludeData:
    return includeData();
  case plan::StepKind::ExtractData:
    return extractData();
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
