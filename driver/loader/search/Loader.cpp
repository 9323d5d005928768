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

namespace {
/// Simulates one load: holds the objects, the search and the result.
class Walk {
public:
  Walk(const Situation &situation, Open open, Cache cache)
      : situation(situation), objects(situation),
        search(situation, objects, open, cache, result.unknown) {}

  LoadResult load(llvm::StringRef path);
  LoadResult start();

private:
  /// Returns false if the load ends here.
  bool request(llvm::StringRef name, size_t asker, bool dlopened);
  bool needs(size_t asker);
  void breadthFirst(size_t first);
  bool makeError(core::LoadStep &step, std::string words);

  const Situation &situation;
  Objects objects;
  LoadResult result;
  Search search;
};
} // namespace

bool Walk::makeError(core::LoadStep &step, std::string words) {
  result.failure = std::move(words);
  result.missing = std::move(step.name);
  result.askedBy = std::move(step.askedBy);
  result.skipped = std::move(step.skipped);
  result.unloadable = std::move(step.path);
  return false;
}

/// glibc's error for what it finds in the dynamic section after mapping the file; null if none.
static const char *refused(const core::BinaryFacts *facts) {
  if (!facts)
    return nullptr;
  if (facts->lacksDynamic)
    return "object file has no dynamic section";
  if (facts->isPie)
    return "cannot dynamically load position-independent executable";
  if (facts->noDlopen)
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
    result.searched = std::move(answer.searched);
    result.endsProcess = answer.endsProcess;
    result.detail = std::move(answer.detail);
    result.package = std::move(answer.package);
    return makeError(answer.step, std::move(answer.failure));
  }
  const Candidate &file = answer.candidate;
  if (std::optional<size_t> same = objects.byFile(file.device, file.inode)) {
    objects.addName(*same, name);
    answer.step.by = LoadedBy::SameFile;
    answer.step.path = objects[*same].path;
  } else if (const char *why = refused(file.facts)) {
    return makeError(answer.step, fmt::format("{}: {}", name, why));
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
        return makeError(step, needed + ": DST not allowed in SUID/SGID programs");
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
  return std::move(result);
}

LoadResult Walk::start() {
  size_t first = objects.size();
  core::LoadStep step;
  step.name = step.path = situation.programPath;
  result.steps.push_back(std::move(step));
  if (needs(Objects::Program))
    breadthFirst(first);
  return std::move(result);
}

LoadResult load(llvm::StringRef path, const Situation &situation, Open open, Cache cache) {
  return Walk(situation, open, cache).load(path);
}

LoadResult start(const Situation &situation, Open open, Cache cache) {
  return Walk(situation, open, cache).start();
}

} // namespace cudacc::loader
