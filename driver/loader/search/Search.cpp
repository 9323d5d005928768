// SPDX-License-Identifier: Apache-2.0
#include "driver/loader/search/Search.h"
#include "driver/versions/Format.h"

namespace cudacc::loader {

using core::LoadedBy;
using Kind = Candidate::Kind;

/// Files tried for one load. A wheel environment needs some thousands; a hostile file with many
/// names and directories would cause billions.
static constexpr uint64_t MaxAttempts = 1 << 20;

static constexpr const char *NotThere = "No such file or directory";

llvm::StringRef Search::describe(size_t index) {
  return index == Objects::Program ? llvm::StringRef(situation.programPath) : objects[index].path;
}

void Search::note(std::string clause) {
  if (!llvm::is_contained(unknown, clause))
    unknown.push_back(std::move(clause));
}

std::string Search::originOf(size_t index) {
  llvm::StringRef path = describe(index);
  return path.empty() ? "" : loader::originOf(path, situation.workingDirectory);
}

Tokens Search::tokensOf(size_t index, llvm::StringRef origin) const {
  Tokens tokens{origin, situation.lib, situation.platform, situation.secure, {}};
  if (index == Objects::Program)
    tokens.trusted = situation.defaultDirectories;
  return tokens;
}

std::string Search::expanded(llvm::StringRef text, size_t index) {
  std::string origin = originOf(index);
  return expand(text, tokensOf(index, origin));
}

std::vector<Directory> Search::decompose(llvm::ArrayRef<std::string> elements, size_t index,
                                         const char *tag) {
  std::string origin = originOf(index);
  if (origin.empty())
    for (const std::string &element : elements)
      if (hasTokens(element) && llvm::StringRef(element).contains("ORIGIN"))
        note(fmt::format("where the program lies, from which its {} leads", tag));
  bool cut = false;
  std::vector<Directory> result = directories(elements, tokensOf(index, origin), cut);
  if (cut)
    note(fmt::format("{}: its {} has more directories than are followed", describe(index), tag));
  return result;
}

llvm::ArrayRef<Directory> Search::rpathOf(size_t index) {
  Object &object = objects[index];
  if (!object.rpath) {
    object.rpath.emplace();
    // LS-10
    if (object.facts && !object.facts->hasRunpath)
      object.rpath = decompose(object.facts->rpath, index, "RPATH");
  }
  return *object.rpath;
}

llvm::ArrayRef<Directory> Search::runpathOf(size_t index) {
  Object &object = objects[index];
  if (!object.runpath) {
    object.runpath.emplace();
    if (object.facts)
      object.runpath = decompose(object.facts->runpath, index, "RUNPATH");
  }
  return *object.runpath;
}

Search::SearchEnd Search::attempt(std::string path, llvm::StringRef name, bool &goOn) {
  if (++attempts > MaxAttempts) {
    note(fmt::format("more than {} files would have to be looked for", MaxAttempts));
    return Answer::Kind::GivenUp;
  }
  Candidate found = tree.open(absolute(path, situation.workingDirectory), situation.machine);
  lastError = NotThere;
  switch (found.kind) {
  case Kind::Absent:
    if (!found.reason.empty() && found.reason != "Not a directory")
      answer.step.skipped.push_back(fmt::format("{}: {}{}", path, found.reason,
                                                found.detail.empty() ? "" : ", " + found.detail));
    if (!found.reason.empty() && found.reason != DanglingLink)
      lastError = found.reason;
    goOn = !found.blocked;
    return std::nullopt;
  case Kind::Foreign:
    otherClass |= llvm::StringRef(found.reason).starts_with("wrong ELF class");
    answer.step.skipped.push_back(fmt::format("{}: {}", path, found.reason));
    goOn = true;
    return std::nullopt;
  case Kind::Fatal:
    if (found.namesRequest && objects.byFile(found.device, found.inode))
      break;
    answer.failure =
        fmt::format("{}: {}", found.namesRequest ? name : llvm::StringRef(path), found.reason);
    answer.endsProcess = found.endsProcess;
    answer.detail = std::move(found.detail);
    answer.package = std::move(found.package);
    answer.step.path = std::move(path);
    return Answer::Kind::Failed;
  case Kind::Unreadable:
    note(fmt::format("{}: {}", found.namesRequest ? name : llvm::StringRef(path), found.reason));
    break;
  case Kind::Good:
    break;
  }
  answer.step.path = std::move(path);
  answer.candidate = std::move(found);
  return Answer::Kind::Found;
}

Search::SearchEnd Search::list(llvm::StringRef name, llvm::ArrayRef<Directory> list, LoadedBy by,
                               llvm::StringRef owner) {
  for (const Directory &directory : list) {
    bool goOn = true;
    SearchEnd ended;
    for (const std::string &subdirectory : situation.hwcaps)
      if (!ended)
        ended = attempt(fmt::format("{}{}/{}", directory.prefix, subdirectory, name), name, goOn);
    if (!ended)
      ended = attempt(fmt::format("{}{}", directory.prefix, name), name, goOn);
    llvm::StringRef shown = directory.prefix;
    answer.searched.push_back(shown.empty()  ? situation.workingDirectory
                              : shown == "/" ? "/"
                                             : shown.drop_back().str());
    if (ended) {
      answer.step.by = by;
      answer.step.element = directory.element;
      answer.step.elementOf = owner.str();
      return ended;
    }
    if (!goOn)
      return std::nullopt;
  }
  return std::nullopt;
}

Search::SearchEnd Search::rpaths(llvm::StringRef name, size_t asker) {
  // LS-12: a RUNPATH of the requesting object disables all RPATHs, not only its own.
  if (objects[asker].facts && objects[asker].facts->hasRunpath)
    return std::nullopt;
  bool program = false;
  // The chain ends, as a loader precedes the objects it loads; the check below stops cycles.
  for (std::optional<size_t> at = asker; at; at = objects[*at].loader) {
    if (SearchEnd ended = list(name, rpathOf(*at), LoadedBy::Rpath, describe(*at)))
      return ended;
    program |= *at == Objects::Program;
    if (objects[*at].loader && *objects[*at].loader >= *at)
      break;
  }
  if (program)
    return std::nullopt;
  return list(name, rpathOf(Objects::Program), LoadedBy::Rpath, describe(Objects::Program));
}

Search::SearchEnd Search::cached(llvm::StringRef name, bool noDefaults) {
  std::optional<std::string> path = tree.cached(name, situation.machine);
  if (!path)
    return std::nullopt;
  if (noDefaults && llvm::any_of(situation.defaultDirectories, [&](const std::string &directory) {
        return llvm::StringRef(*path).starts_with(directory + "/");
      }))
    return std::nullopt;
  bool goOn = true;
  SearchEnd ended = attempt(std::move(*path), name, goOn);
  if (ended)
    answer.step.by = LoadedBy::Cache;
  return ended;
}

Search::SearchEnd Search::lists(llvm::StringRef name, size_t asker) {
  if (SearchEnd ended = rpaths(name, asker))
    return ended;
  if (!libraryPath) {
    libraryPath.emplace();
    if (!situation.secure)
      libraryPath = decompose(situation.libraryPath, Objects::Program, "LD_LIBRARY_PATH");
    for (const std::string &directory : situation.defaultDirectories)
      defaults.push_back({directory + "/", directory});
  }
  if (SearchEnd ended = list(name, *libraryPath, LoadedBy::LibraryPath, {}))
    return ended;
  if (SearchEnd ended = list(name, runpathOf(asker), LoadedBy::Runpath, describe(asker)))
    return ended;
  bool noDefaults = objects[asker].facts && objects[asker].facts->noDefaultDirectories;
  if (SearchEnd ended = cached(name, noDefaults))
    return ended;
  return noDefaults ? std::nullopt : list(name, defaults, LoadedBy::Default, {});
}

Search::SearchEnd Search::slashed(llvm::StringRef name, size_t asker) {
  std::string path = hasTokens(name) ? expanded(name, asker) : name.str();
  if (path.empty()) {
    lastError = NotThere;
    return std::nullopt;
  }
  bool goOn = true;
  SearchEnd ended = attempt(std::move(path), name, goOn);
  if (ended)
    answer.step.by = LoadedBy::Slash;
  return ended;
}

Answer Search::find(llvm::StringRef name, size_t asker) {
  answer = {};
  answer.step.name = name.str();
  answer.step.askedBy = objects[asker].path;
  otherClass = false;
  SearchEnd ended = name.contains('/') ? slashed(name, asker) : lists(name, asker);
  answer.kind = ended.value_or(Answer::Kind::Failed);
  if (!ended && otherClass)
    answer.failure = fmt::format("{}: wrong ELF class: ELFCLASS32", name);
  else if (!ended)
    answer.failure = fmt::format("{}: cannot open shared object file{}", name,
                                 lastError.empty() ? "" : ": " + lastError);
  if (ended == Answer::Kind::Found)
    lastError.clear();
  return std::move(answer);
}

Objects::Objects(const Situation &situation) {
  Object program;
  program.facts = situation.program;
  add(std::move(program), {}, 0, 0);
  Object interpreter;
  interpreter.path = situation.interpreter;
  size_t own = add(std::move(interpreter), situation.interpreter, 0, 0);
  addName(own, llvm::StringRef(situation.interpreter).rsplit('/').second);
  for (const Situation::Present &present : situation.present) {
    Object object;
    object.path = present.path;
    object.facts = present.facts;
    if (present.loader && *present.loader < situation.present.size())
      object.loader = FirstPresent + *present.loader;
    size_t index = add(std::move(object), {}, present.device, present.inode);
    for (const std::string &name : present.names)
      addName(index, name);
  }
}

std::optional<size_t> Objects::byName(llvm::StringRef name) const {
  auto found = names.find(name);
  return found == names.end() ? std::nullopt : std::optional(found->second);
}

std::optional<size_t> Objects::byFile(uint64_t device, uint64_t inode) const {
  if (!inode)
    return std::nullopt;
  auto found = files.find({device, inode});
  return found == files.end() ? std::nullopt : std::optional(found->second);
}

void Objects::addName(size_t index, llvm::StringRef name) {
  if (name.empty())
    return;
  // If two objects have the same name, the loader finds the older one first.
  auto [place, isNew] = names.try_emplace(name, index);
  if (!isNew)
    place->second = std::min(place->second, index);
}

size_t Objects::add(Object object, llvm::StringRef requested, uint64_t device, uint64_t inode) {
  size_t index = list.size();
  addName(index, object.path);
  addName(index, requested);
  if (object.facts)
    addName(index, object.facts->soname);
  if (inode)
    files.try_emplace({device, inode}, index);
  list.push_back(std::move(object));
  return index;
}

} // namespace cudacc::loader
