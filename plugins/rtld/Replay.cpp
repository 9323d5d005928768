// SPDX-License-Identifier: Apache-2.0
#include "plugins/rtld/Replay.h"
#include "driver/loader/search/Search.h"
#include "driver/tables/lookup/Symbols.h"
#include "driver/versions/Format.h"
#include "plugins/rtld/AuditFlags.h"
#include "plugins/rtld/LiveObjects.h"
#include "plugins/rtld/Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <set>

namespace cudacc::rtld {

using namespace core;
using namespace versions;
using llvm::StringRef;

/// Limit for the notes of one process about what was not compared.
static constexpr size_t mostClauses = 20;

namespace {

class Replaying {
public:
  Replaying(const ProcessRecord &record, const MachineFiles &surroundings)
      : record(record), surroundings(surroundings), process(record, surroundings) {
    traced.pid = record.pid;
    traced.parent = record.parent;
    traced.program = record.program;
    traced.words = record.words;
    traced.libraryPath = record.libraryPath;
  }
  TracedProcess all(const Loads &loads);

private:
  const ProcessRecord &record;
  const MachineFiles &surroundings;
  LiveObjects process;
  TracedProcess traced;
  /// NVIDIA's objects by number, including closed ones, with their indices in `traced`.
  std::map<uint64_t, std::pair<size_t, size_t>> copies;
  std::map<uint64_t, std::string> everyPath;
  std::set<std::pair<std::string, std::string>> missingSeen;

  LoadResult simulated(const Load &load);
  void enter(const Load &load);
  void compare(const Load &load, const LoadResult &result);
  void ask(const Load &load, const Asked &asked, const LoadStep *step);
  void conclude(const Load &load);
  void concludeOne(const LiveObject &object, StringRef needed);
  void lookForSymbols(const Load &load);
  static void miss(TracedCopy &copy, StringRef importer, const Import &import);
  void bind(const Event &event);
  std::string passedBy(const LiveObject &asker, StringRef name, const LiveObject &taken);
  TracedLibrary &library(StringRef name);
  TracedCopy &copyOf(const LiveObject &object);
  std::vector<TracedRequest::Tried> triedFor(const Asked &asked, const BinaryFacts *asker) const;
  std::string shown(StringRef path) const;
  void unknown(std::string clause);
};

} // namespace

/// The path for the report: absolute and normalised; empty for the program.
std::string Replaying::shown(StringRef path) const {
  return path.empty() ? "" : plainPath(loader::absolute(path, record.workingDirectory));
}

void Replaying::unknown(std::string clause) {
  if (traced.unknown.size() < mostClauses && !llvm::is_contained(traced.unknown, clause))
    traced.unknown.push_back(std::move(clause));
}

TracedLibrary &Replaying::library(StringRef name) {
  for (TracedLibrary &each : traced.libraries)
    if (each.name == name)
      return each;
  traced.libraries.emplace_back().name = name.str();
  return traced.libraries.back();
}

TracedCopy &Replaying::copyOf(const LiveObject &object) {
  auto found = copies.find(object.id);
  if (found != copies.end())
    return traced.libraries[found->second.first].copies[found->second.second];
  std::string name = libraryName(object.path);
  if (name.empty() && object.file.facts)
    name = libraryName(object.file.facts->soname);
  TracedLibrary &place = library(name);
  TracedCopy copy;
  copy.path = shown(object.path);
  copy.soname = object.file.facts ? object.file.facts->soname : "";
  copy.loaded = true;
  surroundings.identify(copy);
  copies[object.id] = {size_t(&place - traced.libraries.data()), place.copies.size()};
  place.copies.push_back(std::move(copy));
  return place.copies.back();
}

static bool isNvidias(const LiveObject &object) {
  return !libraryName(object.path).empty() ||
         (object.file.facts && !libraryName(object.file.facts->soname).empty());
}

static LoadedBy byFlag(unsigned flag, const BinaryFacts *asker) {
  switch (flag) {
  case searchedLibraryPath:
    return LoadedBy::LibraryPath;
  case searchedRunpath:
    return asker && asker->hasRunpath ? LoadedBy::Runpath : LoadedBy::Rpath;
  case searchedCache:
    return LoadedBy::Cache;
  case searchedDefault:
  case searchedSecure:
    return LoadedBy::Default;
  }
  return LoadedBy::Slash;
}

std::vector<TracedRequest::Tried> Replaying::triedFor(const Asked &asked,
                                                      const BinaryFacts *asker) const {
  std::vector<TracedRequest::Tried> out;
  for (size_t i = 0; i < asked.tried.size(); ++i) {
    const auto &[flag, tried] = asked.tried[i];
    bool isKind = false;
    for (size_t next = i + 1; next < asked.tried.size() && !isKind; ++next)
      isKind = isForKind(tried, asked.tried[next].second);
    if (!isKind)
      out.push_back({byFlag(flag, asker), shown(tried)});
  }
  return out;
}

LoadResult Replaying::simulated(const Load &load) {
  if (process.isSpent()) {
    unknown("too many loads: the last ones were not simulated");
    return {};
  }
  if (load.isStart)
    return loader::start(process.situation(), surroundings.tree);
  if (load.asked.empty())
    return {};
  loader::Situation situation = process.situation();
  situation.caller = process.indexOf(load.asked.front().asker);
  return loader::load(load.asked.front().name, situation, surroundings.tree);
}

/// Adds the objects of the load to the process.
void Replaying::enter(const Load &load) {
  for (const Opened &opened : load.opened) {
    process.open(opened);
    everyPath[opened.id] = opened.path;
  }
  traced.objects += load.opened.size();
  for (const Asked &asked : load.asked) {
    if (!asked.opened)
      continue;
    LiveObject *object = process.find(*asked.opened);
    if (!object)
      continue;
    object->names.push_back(asked.name);
    if (&asked != &load.asked.front() || load.isStart)
      object->loader = asked.asker;
    process.change();
  }
}

void Replaying::ask(const Load &load, const Asked &asked, const LoadStep *step) {
  const LiveObject *object = asked.opened ? process.find(*asked.opened) : nullptr;
  if (!object && step && step->by == LoadedBy::SameFile)
    object = process.byPath(step->path);
  std::string name = libraryName(asked.name);
  if (object ? !isNvidias(*object) : name.empty())
    return;
  const LiveObject *asker = process.find(asked.asker);
  const BinaryFacts *facts = asked.asker == process.programId() ? process.programFacts()
                             : asker                            ? asker->file.facts
                                                                : nullptr;
  TracedRequest request;
  request.name = asked.name;
  request.askedBy = shown(process.pathOf(asked.asker));
  request.byDlopen = !load.isStart && &asked == &load.asked.front();
  request.tried = triedFor(asked, facts);
  if (step) {
    request.by = step->by;
    request.element = step->element;
    request.elementOf = shown(step->elementOf);
  } else if (object) {
    request.by = asked.tried.empty() ? LoadedBy::Slash : byFlag(asked.tried.back().first, facts);
  }
  if (object)
    copyOf(*object).requests.push_back(std::move(request));
  else
    library(name).notFound.push_back(std::move(request));
}

void Replaying::compare(const Load &load, const LoadResult &result) {
  for (const std::string &clause : result.unknown)
    unknown(clause);
  llvm::StringMap<const LoadStep *> steps;
  auto key = [](StringRef askedBy, StringRef name) { return fmt::format("{}\n{}", askedBy, name); };
  for (const LoadStep &step : result.steps)
    steps.try_emplace(key(step.askedBy, step.name), &step);
  bool preloads = load.isStart && !record.preload.empty();
  if (preloads)
    unknown("the start was not simulated: LD_PRELOAD is set");
  for (const Asked &asked : load.asked) {
    auto found = steps.find(key(process.pathOf(asked.asker), asked.name));
    const LoadStep *step = found == steps.end() ? nullptr : found->second;
    LiveObject *opened = asked.opened ? process.find(*asked.opened) : nullptr;
    bool gone = opened && opened->path.find('/') != std::string::npos &&
                opened->file.kind == loader::Candidate::Kind::Absent;
    bool apart = opened && opened->isApart;
    if (apart)
      unknown("namespaces of dlmopen are not simulated");
    bool sameFile = step && !opened && step->by == LoadedBy::SameFile;
    if (sameFile)
      process.addName(step->path, asked.name);
    std::string taken = opened ? opened->path : sameFile ? step->path : "";
    std::string expected = step ? step->path : "";
    bool known = step || (!result.ok() && result.missing == asked.name);
    bool agrees = known && taken == expected;
    if (gone)
      unknown(opened->path + " was not found when the program had ended");
    else if (known && !preloads && !apart) {
      ++traced.compared;
      if (!agrees)
        traced.differences.push_back(
            {asked.name, shown(process.pathOf(asked.asker)), shown(taken), shown(expected)});
    }
    ask(load, asked, agrees ? step : nullptr);
  }
}

/// The file that the search of \p asker finds; empty if it is \p taken, or none.
std::string Replaying::passedBy(const LiveObject &asker, StringRef name, const LiveObject &taken) {
  if (process.isSpent())
    return "";
  const loader::Situation &situation = process.situation();
  loader::Objects objects(situation);
  std::vector<std::string> unknowns;
  loader::Search search(situation, objects, surroundings.tree, unknowns);
  size_t index = loader::Objects::Program;
  if (auto place = process.indexOf(asker.id))
    index = loader::Objects::FirstPresent + *place;
  loader::Answer answer = search.find(name, index);
  if (answer.kind != loader::Answer::Kind::Found)
    return "";
  const loader::Candidate &file = answer.candidate;
  if (file.inode && file.inode == taken.file.inode && file.device == taken.file.device)
    return "";
  std::string found = shown(answer.step.path);
  return found == shown(taken.path) ? "" : found;
}

void Replaying::concludeOne(const LiveObject &object, StringRef needed) {
  const LiveObject *taken = process.serving(needed, object.id);
  if (!taken || !isNvidias(*taken))
    return;
  TracedRequest request;
  request.name = needed.str();
  request.askedBy = shown(object.path);
  request.concluded = true;
  request.by = LoadedBy::AlreadyLoaded;
  request.passed = passedBy(object, needed, *taken);
  copyOf(*taken).requests.push_back(std::move(request));
}

/// Adds NEEDED entries that were satisfied without a search.
void Replaying::conclude(const Load &load) {
  for (const Opened &opened : load.opened) {
    const LiveObject *object = process.find(opened.id);
    const BinaryFacts *facts =
        opened.id == process.programId() ? process.programFacts() : object->file.facts;
    if (!facts)
      continue;
    for (const std::string &needed : facts->needed) {
      bool seen = llvm::any_of(load.asked, [&](const Asked &asked) {
        return asked.asker == opened.id && asked.name == needed;
      });
      if (!seen && !libraryName(needed).empty())
        concludeOne(*object, needed);
    }
  }
}

void Replaying::miss(TracedCopy &copy, StringRef importer, const Import &import) {
  TracedMissing missing{plainPath(importer), import.symbol, import.version, {}};
  if (auto table = tables::SymbolTable::find(copy.soname, copy.cuda.major))
    for (size_t i = 0; i < table->size() && !missing.first.known(); ++i)
      if (table->exported(i, import.symbol) == Exported::Yes)
        missing.first = table->at(i).toolkit;
  copy.missing.push_back(std::move(missing));
}

/// Finds symbols that the new objects import from NVIDIA's libraries and that the loaded copies
/// lack.
void Replaying::lookForSymbols(const Load &load) {
  for (const Opened &opened : load.opened) {
    const LiveObject *object = process.find(opened.id);
    bool isProgram = opened.id == process.programId();
    const BinaryFacts *facts = isProgram ? process.programFacts() : object->file.facts;
    if (!facts ||
        llvm::none_of(facts->needed, [](StringRef needed) { return !libraryName(needed).empty(); }))
      continue;
    std::string file =
        isProgram ? record.program : loader::absolute(object->path, record.workingDirectory);
    for (const Import &import : facts->imports) {
      if (import.weak || libraryName(import.file).empty())
        continue;
      const LiveObject *taken = process.serving(import.file, opened.id);
      if (!taken || !isNvidias(*taken))
        continue;
      std::string place = loader::absolute(taken->path, record.workingDirectory);
      if (surroundings.tree.exported(place, import.symbol, import.version) == Exported::No &&
          missingSeen.emplace(file, import.symbol).second)
        miss(copyOf(*taken), file, import);
    }
  }
}

static std::string passedIn(const TracedCopy &copy, StringRef askedBy) {
  for (const TracedRequest &request : copy.requests)
    if (request.askedBy == askedBy && !request.passed.empty())
      return request.passed;
  return "";
}

void Replaying::bind(const Event &event) {
  auto found = copies.find(event.other);
  auto from = everyPath.find(event.object);
  if (found == copies.end() || from == everyPath.end())
    return;
  TracedCopy &copy = traced.libraries[found->second.first].copies[found->second.second];
  std::string by = shown(from->second);
  auto place =
      llvm::find_if(copy.bindings, [&](const TracedBinding &each) { return each.from == by; });
  if (place == copy.bindings.end())
    place = copy.bindings.insert(place, {by, passedIn(copy, by), {}});
  if (!llvm::is_contained(place->symbols, event.text))
    place->symbols.push_back(event.text);
}

TracedProcess Replaying::all(const Loads &loads) {
  for (const Load &load : loads.loads) {
    for (uint64_t id : load.closed)
      process.close(id);
    process.change();
    LoadResult result = simulated(load);
    enter(load);
    compare(load, result);
    conclude(load);
    lookForSymbols(load);
    if (load.undone)
      for (const Opened &opened : load.opened)
        traced.closedAgain.push_back(shown(opened.path));
  }
  traced.neverStarted = !loads.ready;
  for (const Event &event : loads.binds)
    bind(event);
  return std::move(traced);
}

TracedProcess replay(const ProcessRecord &record, const Loads &loads,
                     const MachineFiles &surroundings) {
  return Replaying(record, surroundings).all(loads);
}

} // namespace cudacc::rtld
