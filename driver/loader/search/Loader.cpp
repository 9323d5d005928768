// SPDX-License-Identifier: Apache-2.0
#include "driver/loader/search/Loader.h"
#include "driver/loader/search/Search.h"
#include "driver/versions/Format.h"
#include "llvm/BinaryFormat/ELF.h"

namespace cudacc::loader {

using core::LoadedBy;
using core::LoadResult;

/// Upper limit for the requests of one load; a large program has some thousands.
static constexpr size_t MaxRequests = 1 << 17;
/// Further failures that are kept.
static constexpr size_t MaxBehind = 64;

namespace {
/// Simulates one load: holds the objects, the search and the result.
class Walk {
public:
  Walk(const Situation &situation, Tree &tree)
      : situation(situation), objects(situation), search(situation, objects, tree, result.unknown) {
  }

  LoadResult load(llvm::StringRef path);
  LoadResult start(llvm::ArrayRef<std::string> preload);

private:
  /// These return false if the load ends here.
  bool request(llvm::StringRef name, size_t asker, bool dlopened);
  bool needs(size_t asker);
  bool fail(LoadResult failed, core::LoadStep &step, std::string words);
  void breadthFirst(size_t first);
  LoadResult finish();

  const Situation &situation;
  Objects objects;
  LoadResult result;
  Search search;
  bool isStart = false, isPreloading = false;
  /// The first failure, with the steps up to it.
  std::optional<LoadResult> failure;
};
} // namespace

bool Walk::fail(LoadResult failed, core::LoadStep &step, std::string words) {
  // The loader prints a message about a file that cannot be preloaded, and continues.
  if (isPreloading && !failed.endsProcess)
    return true;
  failed.failure = std::move(words);
  failed.missing = std::move(step.name);
  failed.askedBy = std::move(step.askedBy);
  failed.skipped = std::move(step.skipped);
  failed.unloadable = std::move(step.path);
  Object granted;
  granted.path = failed.missing;
  objects.add(std::move(granted), failed.missing, 0, 0);
  if (failure) {
    failure->behind.push_back(std::move(failed));
    return failure->behind.size() < MaxBehind;
  }
  failed.steps = result.steps;
  failed.unknown = result.unknown;
  failure = std::move(failed);
  return situation.looksBehind;
}

LoadResult Walk::finish() { return failure ? std::move(*failure) : std::move(result); }

/// glibc's error for what it finds in the dynamic section after mapping the file; null if none.
static const char *refused(const core::BinaryFacts *facts, bool isStart) {
  if (!facts)
    return nullptr;
  if (facts->lacksDynamic)
    return "object file has no dynamic section";
  if (facts->isPie)
    return "cannot dynamically load position-independent executable";
  if (facts->noDlopen && !isStart)
    return "shared object cannot be dlopen()ed";
  return nullptr;
}

bool Walk::request(llvm::StringRef name, size_t asker, bool dlopened) {
  if (result.steps.size() == MaxRequests) {
    result.unknown.push_back(
        fmt::format("more than {} names would have to be followed", MaxRequests));
    return false;
  }
  if (std::optional<size_t> present = objects.byName(name)) {
    core::LoadStep step;
    step.name = name.str();
    step.askedBy = objects[asker].path;
    step.by = LoadedBy::AlreadyLoaded;
    step.path = objects[*present].path;
    result.steps.push_back(std::move(step));
    return true;
  }
  Answer answer = search.find(name, asker);
  if (answer.kind == Answer::Kind::GivenUp)
    return false;
  if (answer.kind == Answer::Kind::Failed) {
    LoadResult failed;
    failed.searched = std::move(answer.searched);
    failed.endsProcess = answer.endsProcess;
    failed.detail = std::move(answer.detail);
    failed.package = std::move(answer.package);
    return fail(std::move(failed), answer.step, std::move(answer.failure));
  }
  const Candidate &file = answer.candidate;
  if (std::optional<size_t> same = objects.byFile(file.device, file.inode)) {
    objects.addName(*same, name);
    answer.step.by = LoadedBy::SameFile;
    answer.step.path = objects[*same].path;
  } else if (const char *why = refused(file.facts, isStart)) {
    return fail({}, answer.step, fmt::format("{}: {}", name, why));
  } else {
    Object object;
    object.path = answer.step.path;
    object.facts = file.facts;
    if (!dlopened)
      object.loader = asker;
    objects.add(std::move(object), name, file.device, file.inode);
    if (dlopened && answer.step.by == LoadedBy::Slash)
      answer.step.by = LoadedBy::Root;
  }
  result.steps.push_back(std::move(answer.step));
  return true;
}

bool Walk::needs(size_t asker) {
  const core::BinaryFacts *facts = objects[asker].facts;
  if (!facts)
    return true;
  for (const std::string &needed : facts->needed) {
    std::string name = needed;
    if (hasTokens(name)) {
      if (situation.secure) {
        core::LoadStep step;
        step.name = needed;
        step.askedBy = objects[asker].path;
        if (!fail({}, step, needed + ": DST not allowed in SUID/SGID programs"))
          return false;
        continue;
      }
      name = search.expanded(needed, asker);
      if (name.empty())
        continue;
    }
    if (!request(name, asker, false))
      return false;
  }
  return true;
}

void Walk::breadthFirst(size_t first) {
  for (size_t at = first; at < objects.size(); ++at)
    if (!needs(at))
      return;
}

LoadResult Walk::load(llvm::StringRef path) {
  size_t caller = Objects::Program;
  if (situation.caller && *situation.caller < situation.present.size())
    caller = Objects::FirstPresent + *situation.caller;
  size_t first = objects.size();
  if (request(path, caller, true))
    breadthFirst(first);
  return finish();
}

LoadResult Walk::start(llvm::ArrayRef<std::string> preload) {
  size_t first = objects.size();
  core::LoadStep step;
  step.name = step.path = situation.programPath;
  result.steps.push_back(std::move(step));
  isStart = isPreloading = true;
  bool goesOn = true;
  for (const std::string &file : preload)
    goesOn = goesOn && request(file, Objects::Program, false);
  isPreloading = false;
  result.preloaded = result.steps.size() - 1;
  if (goesOn && needs(Objects::Program))
    breadthFirst(first);
  return finish();
}

LoadResult load(llvm::StringRef path, const Situation &situation, Tree &tree) {
  return Walk(situation, tree).load(path);
}

LoadResult start(const Situation &situation, Tree &tree, llvm::ArrayRef<std::string> preload) {
  return Walk(situation, tree).start(preload);
}

} // namespace cudacc::loader
