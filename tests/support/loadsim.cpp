// SPDX-License-Identifier: Apache-2.0
// Simulates the loader, for tests that compare it with the real one:
//
//   loadsim --program PROGRAM [OPTION]... [FILE]...
//
// Starts the program, then opens each FILE by dlopen, in order; `--caller PATH` before a FILE names
// the object that opens it. Prints a line for each mapped object ("mapped PATH"), each file tried
// ("tried PATH"), each unknown fact, and the failure that ends it. --library-path V, --cache FILE,
// --hwcaps A:B, --platform P, --cwd D and --secure describe the process.
//
//   loadsim [--table SONAME,DIST,VERSION,FOLDER]... [--place DIR] FILE
//
// loads FILE in a simulated site-packages with these libraries.
//
//   loadsim --process [--preload A:B] [--now] --program PROGRAM [OPTION]... [OPERATION]...
//
// starts the program as `doctor` does, with its symbols, and goes on after what fails. OPERATION:
// `local:FILE` and `global:FILE` open a file; `CALLER=FILE` only searches it for the object at
// CALLER ("mapped PATH"). Prints after each what was tried, all objects ("present PATH"), and the
// failure: of the load ("failure"), of the process ("ends") or of the first call ("later").
//
//   loadsim --list-cache FILE
//
// prints a line for each entry of a cache: name, path, flags, subdirectory.
#include "driver/binary/Reader.h"
#include "driver/probe/host/LoaderCache.h"
#include "driver/process/DiskTree.h"
#include "driver/process/Installation.h"
#include "driver/process/Process.h"
#include "driver/run/RealFiles.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace cudacc;

namespace {
/// The disk and another cache; keeps the paths that were opened.
struct WatchedTree : loader::Tree {
  explicit WatchedTree(core::Files &files) : disk(files, true) {}

  loader::Candidate open(llvm::StringRef path, uint16_t machine) override {
    tried.push_back(path.str());
    return disk.open(path, machine);
  }
  std::optional<std::string> cached(llvm::StringRef name, uint16_t machine) override {
    return cache ? cache->find(name, machine, subdirectories) : std::nullopt;
  }
  versions::Exported exported(llvm::StringRef path, llvm::StringRef symbol,
                              llvm::StringRef node) override {
    return disk.exported(path, symbol, node);
  }
  std::optional<std::vector<std::string>> hwcaps(uint16_t machine) override {
    return disk.hwcaps(machine);
  }
  std::optional<bool> versioned(llvm::StringRef path) override { return disk.versioned(path); }
  std::vector<core::VersionNeed> versionNeeds(llvm::StringRef path) override {
    return disk.versionNeeds(path);
  }
  std::optional<std::vector<loader::Bound>>
  order(llvm::StringRef path, llvm::ArrayRef<llvm::StringRef> symbols) override {
    return disk.order(path, symbols);
  }

  process::DiskTree disk;
  std::optional<probe::LoaderCache> cache;
  std::vector<std::string> subdirectories, tried;
};

struct Simulation {
  run::RealFiles files;
  WatchedTree disk{files};
  loader::Situation situation;
  std::optional<std::string> caller;
  core::Target target;
  std::optional<std::string> place;
  llvm::SmallVector<std::string> preload;

  bool option(llvm::StringRef name, llvm::StringRef value);
  bool finish(const core::LoadResult &result);
  bool start();
  bool load(llvm::StringRef file);
  bool loadInTree(llvm::StringRef file);
  void finish(const process::Process::Outcome &outcome, const process::Process &process);
  void runProcess(llvm::ArrayRef<const char *> operations, bool now);
};
} // namespace

bool Simulation::option(llvm::StringRef name, llvm::StringRef value) {
  if (name == "--program")
    situation.programPath = value.str();
  else if (name == "--library-path")
    situation.libraryPath = loader::libraryPath(value);
  else if (name == "--cache")
    disk.cache = probe::LoaderCache::read(llvm::cantFail(files.read(value, 16 << 20)));
  else if (name == "--platform")
    situation.platform = value.str();
  else if (name == "--cwd")
    situation.workingDirectory = value.str();
  else if (name == "--caller")
    caller = value.str();
  else if (name == "--place")
    place = value.str();
  else if (name == "--preload") {
    for (llvm::StringRef part : llvm::split(value, ':'))
      preload.push_back(part.str());
  } else if (name == "--table") {
    llvm::SmallVector<llvm::StringRef, 4> parts;
    value.split(parts, ',');
    core::TargetLibrary &row = target.libraries.emplace_back();
    row.soname = parts[0].str();
    row.dist = parts[1].str();
    row.version = *versions::Version::parse(parts[2]);
    row.folder = parts[3].str();
  } else if (name == "--hwcaps") {
    situation.hwcaps.clear();
    for (llvm::StringRef part : llvm::split(value, ':'))
      if (!part.empty())
        situation.hwcaps.push_back(part.str());
  } else
    return false;
  return true;
}

bool Simulation::finish(const core::LoadResult &result) {
  for (const std::string &path : disk.tried)
    llvm::outs() << "tried " << path << '\n';
  disk.tried.clear();
  for (const core::LoadStep &step : result.steps)
    if (step.by != core::LoadedBy::AlreadyLoaded && step.by != core::LoadedBy::SameFile)
      llvm::outs() << "mapped " << step.path << '\n';
  for (const std::string &clause : result.unknown)
    llvm::outs() << "unknown " << clause << '\n';
  if (!result.ok()) {
    llvm::outs() << "failure " << result.failure << '\n';
    return false;
  }
  situation = loader::after(std::move(situation), result, disk);
  disk.tried.clear();
  return true;
}

bool Simulation::start() {
  situation.program = disk.disk.program(situation.programPath);
  disk.subdirectories = situation.hwcaps;
  disk.tried.clear();
  return finish(loader::start(situation, disk));
}

bool Simulation::load(llvm::StringRef file) {
  if (caller) {
    situation.caller = loader::find(situation, *caller);
    if (!situation.caller) {
      llvm::errs() << "loadsim: " << *caller << " is not in the process\n";
      return false;
    }
    caller.reset();
  }
  llvm::outs() << "open " << file << '\n';
  return finish(loader::load(file, situation, disk));
}

bool Simulation::loadInTree(llvm::StringRef file) {
  auto opened = llvm::cantFail(files.open(file));
  core::BinaryFacts facts = llvm::cantFail(binary::read(*opened, file));
  process::PackageFiles package;
  process::Installation installation(target, facts.machine, package, false);
  std::optional<llvm::StringRef> declared;
  if (place)
    declared = *place;
  core::LoadResult result = installation.load(facts, process::Installation::placesFor(declared));
  for (const core::LoadStep &step : result.steps)
    if (step.by != core::LoadedBy::AlreadyLoaded && step.by != core::LoadedBy::SameFile)
      llvm::outs() << "mapped " << step.path << '\n';
  for (const std::string &clause : result.unknown)
    llvm::outs() << "unknown " << clause << '\n';
  if (!result.ok())
    llvm::outs() << "failure " << result.failure << '\n';
  return result.ok();
}

void Simulation::finish(const process::Process::Outcome &outcome, const process::Process &process) {
  for (const std::string &path : disk.tried)
    llvm::outs() << "tried " << path << '\n';
  disk.tried.clear();
  for (const loader::Situation::Present &present : process.situation().present)
    llvm::outs() << "present " << present.path << '\n';
  for (const auto *unknown : {&outcome.unknown, &outcome.load.unknown})
    for (const std::string &clause : *unknown)
      llvm::outs() << "unknown " << clause << '\n';
  using Ends = core::BindingFailure::Ends;
  if (!outcome.load.ok())
    llvm::outs() << (outcome.load.endsProcess ? "ends " : "failure ") << outcome.load.failure
                 << '\n';
  else if (outcome.binding)
    llvm::outs() << (outcome.binding->ends == Ends::Process     ? "ends "
                     : outcome.binding->ends == Ends::FirstCall ? "later "
                                                                : "failure ")
                 << outcome.binding->words << '\n';
}

void Simulation::runProcess(llvm::ArrayRef<const char *> operations, bool now) {
  auto file = llvm::cantFail(files.open(situation.programPath));
  core::BinaryFacts facts = llvm::cantFail(binary::read(*file, situation.programPath));
  process::Process process(disk, facts.machine, situation.workingDirectory);
  disk.subdirectories = process.situation().hwcaps;
  process.surround(situation.libraryPath, {preload.begin(), preload.end()});
  process::Process::Outcome outcome =
      process.start(situation.programPath, situation.programPath, facts, now);
  finish(outcome, process);
  using Ends = core::BindingFailure::Ends;
  if (!outcome.load.ok() || (outcome.binding && outcome.binding->ends != Ends::FirstCall))
    return;
  for (llvm::StringRef operation : operations) {
    llvm::outs() << "open " << operation << '\n';
    bool isGlobal = operation.consume_front("global:");
    if (isGlobal || operation.consume_front("local:")) {
      outcome = process.open(operation, isGlobal, "");
    } else {
      auto [caller, name] = operation.split('=');
      outcome = {};
      // The caller may be in the process under another path.
      core::LoadResult opener = process.find(caller, "");
      bool isThere = opener.ok() && !opener.steps.empty();
      outcome.load = process.find(name, isThere ? opener.steps.front().path : caller.str());
      for (const core::LoadStep &step : outcome.load.steps)
        if (step.by != core::LoadedBy::AlreadyLoaded && step.by != core::LoadedBy::SameFile)
          llvm::outs() << "mapped " << step.path << '\n';
    }
    finish(outcome, process);
    if (outcome.load.endsProcess || (outcome.binding && outcome.binding->ends == Ends::Process))
      return;
  }
}

static int listCache(llvm::StringRef path) {
  run::RealFiles files;
  auto cache = probe::LoaderCache::read(llvm::cantFail(files.read(path, 16 << 20)));
  if (!cache) {
    llvm::errs() << "loadsim: " << path << " is no cache\n";
    return 1;
  }
  for (const auto &entry : cache->entries())
    llvm::outs() << entry.name << '\t' << entry.path << '\t' << llvm::utohexstr(entry.flags) << '\t'
                 << entry.subdirectory << '\n';
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 3 && llvm::StringRef(argv[1]) == "--list-cache")
    return listCache(argv[2]);
  Simulation simulation;
  simulation.situation.workingDirectory = simulation.files.workingDirectory();
  bool started = false, isProcess = false, now = false;
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef word = argv[i];
    if (word == "--process" || word == "--now") {
      (word == "--now" ? now : isProcess) = true;
      continue;
    }
    if (word == "--secure") {
      simulation.situation.secure = true;
      continue;
    }
    if (word.starts_with("--")) {
      if (++i == argc || !simulation.option(word, argv[i])) {
        llvm::errs() << "loadsim: " << word << " is no option\n";
        return 2;
      }
      continue;
    }
    if (!simulation.target.libraries.empty())
      return simulation.loadInTree(word) ? 0 : 1;
    if (isProcess) {
      simulation.runProcess(llvm::ArrayRef(argv + i, argc - i), now);
      return 0;
    }
    if (!started && !simulation.start())
      return 1;
    started = true;
    if (!simulation.load(word))
      return 1;
  }
  if (isProcess)
    simulation.runProcess({}, now);
  else if (!started && !simulation.start())
    return 1;
  return 0;
}
