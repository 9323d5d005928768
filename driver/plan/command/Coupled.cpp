// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/command/Coupled.h"
#include "driver/tables/lookup/Libraries.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace cudacc::plan {

using namespace core;

std::vector<const TargetLibrary *> coupledTo(const Target &target, const TargetLibrary &row) {
  std::vector<const TargetLibrary *> rows = {&row};
  for (size_t i = 0; i < rows.size(); ++i)
    for (llvm::StringRef needed :
         tables::neededBy(rows[i]->soname, rows[i]->dist, rows[i]->version))
      if (const TargetLibrary *coupled = target.find(needed);
          coupled && !llvm::is_contained(rows, coupled))
        rows.push_back(coupled);
  rows.erase(rows.begin());
  return rows;
}

namespace {
/// Follows --as-needed and --no-as-needed along a link line.
class AsNeeded {
public:
  explicit AsNeeded(const Invocation &call) {
    for (const Word &word : call.words) {
      llvm::StringRef list = word.text;
      bool needs = states.back() == State::No;
      if (list.consume_front("-Wl,"))
        for (llvm::StringRef item : llvm::split(list, ',')) {
          take(item);
          needs |= states.back() == State::No;
        }
      else
        take(list);
      words.push_back(needs ? State::No : states.back());
    }
  }

  /// A library that this word names may be NEEDED although nothing uses it. As long as nothing was
  /// said, the compiler's default holds; where it holds for the whole line, that the linker dropped
  /// another library shows which.
  bool mayBeOffAt(uint32_t word) const {
    return words[word] == State::No || (words[word] == State::Default && isSet);
  }

private:
  enum class State { Default, Yes, No };
  std::vector<State> states = {State::Default};
  /// After each word; No if a library within the word may be named where it is off.
  std::vector<State> words;
  bool isSet = false;

  void take(llvm::StringRef item) {
    // What a response file of the linker says is not followed.
    if (item.starts_with("@")) {
      states.back() = State::Default;
      isSet = true;
    }
    if (!item.consume_front("--") && !item.consume_front("-"))
      return;
    if (item == "as-needed" || item == "no-as-needed") {
      states.back() = item == "as-needed" ? State::Yes : State::No;
      isSet = true;
    } else if (item == "push-state") {
      states.push_back(states.back());
    } else if (item == "pop-state" && states.size() > 1) {
      states.pop_back();
    }
  }
};
} // namespace

std::vector<std::string> unservedIn(const BinaryFacts &output, const Invocation &call,
                                    llvm::ArrayRef<LinkedLibrary> libraries,
                                    llvm::ArrayRef<CoupledLibrary> coupled,
                                    llvm::function_ref<bool(const CoupledLibrary &)> isUsed) {
  std::vector<const CoupledLibrary *> open;
  for (const CoupledLibrary &each : coupled)
    if (llvm::is_contained(output.needed, each.soname))
      open.push_back(&each);
  llvm::StringSet<> kept;
  for (const std::string &name : output.needed)
    if (llvm::none_of(open, [&](const auto *each) { return each->soname == name; }))
      kept.insert(name);
  auto isKept = [&](llvm::StringRef name) { return kept.contains(name); };
  auto keep = [&](auto reason) {
    auto found = llvm::find_if(
        open, [&](const auto *each) { return isKept(each->soname) || reason(*each); });
    if (found == open.end())
      return false;
    kept.insert((*found)->soname);
    open.erase(found);
    return true;
  };
  auto serves = [&](const CoupledLibrary &each) { return llvm::any_of(each.serves, isKept); };
  while (keep(serves)) {
  }
  if (open.empty())
    return {};
  AsNeeded asNeeded(call);
  auto isCallers = [&](const CoupledLibrary &each) {
    return llvm::any_of(libraries, [&](const LinkedLibrary &library) {
      return library.soname == each.soname && asNeeded.mayBeOffAt(library.word);
    });
  };
  // What is used may itself be coupled to others.
  while (keep(serves) || keep(isCallers) || keep(isUsed)) {
  }
  std::vector<std::string> names;
  for (const CoupledLibrary *each : open)
    if (!llvm::is_contained(names, each->soname))
      names.push_back(each->soname);
  return names;
}

/// Adds all folders of the library: within a range of releases it may lie in several.
static void addFolders(std::vector<std::string> &folders, const TargetLibrary &row) {
  auto add = [&](const std::string &folder) {
    if ((row.ofConda || !folder.empty()) && !llvm::is_contained(folders, folder))
      folders.push_back(folder);
  };
  add(row.folder);
  for (const std::string &other : row.otherFolders)
    add(other);
}

std::vector<std::string> foldersOf(const Target &target,
                                   llvm::ArrayRef<const TargetLibrary *> rows) {
  std::vector<std::string> folders;
  std::vector<const TargetLibrary *> all = rows.vec();
  for (const TargetLibrary *row : rows)
    for (const TargetLibrary *coupled : coupledTo(target, *row))
      if (!llvm::is_contained(all, coupled))
        all.push_back(coupled);
  for (const TargetLibrary *row : all)
    addFolders(folders, *row);
  for (const TargetLibrary *row : all)
    if (auto shape = tables::shapeOf(row->soname, row->dist, row->version))
      for (llvm::StringRef name : llvm::concat<llvm::StringRef>(shape->needed, shape->dlopens))
        if (const TargetLibrary *other = target.find(name))
          addFolders(folders, *other);
  // Behind the wheels' folders: pip's copy of a library counts, not that of conda.
  llvm::stable_sort(folders,
                    [](const auto &one, const auto &other) { return one.empty() < other.empty(); });
  return folders;
}

} // namespace cudacc::plan
