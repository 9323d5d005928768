// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/wheel/Kept.h"
#include "driver/commands/wheel/RepairNeeds.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

/// Whether the entry leads to a place in site-packages, for a file at \p path there.
static bool staysInside(StringRef entry, StringRef path) {
  if (!support::consumeOrigin(entry))
    return false;
  if (!entry.empty() && entry.front() != '/')
    return false;
  int depth = int(path.count('/'));
  for (StringRef part : llvm::split(entry, '/')) {
    if (part == "..")
      --depth;
    else if (!part.empty() && part != ".")
      ++depth;
    if (depth < 0)
      return false;
  }
  return true;
}

static std::string lostEntry(const BinaryFacts &before, const BinaryFacts &after) {
  llvm::ArrayRef<std::string> left = after.searchPath();
  std::vector<StringRef> seen;
  for (const std::string &entry : before.searchPath()) {
    if (!staysInside(entry, before.path) || llvm::is_contained(seen, entry))
      continue;
    seen.push_back(entry);
    auto found = llvm::find(left, entry);
    if (found == left.end())
      return entry;
    left = left.drop_front(found - left.begin() + 1);
  }
  return {};
}

static std::string lostNeeded(const BinaryFacts &before, const BinaryFacts &after,
                              const llvm::StringSet<> &grafted) {
  auto renamed = llvm::count_if(after.needed, [&](const std::string &name) {
    return grafted.contains(name) && !llvm::is_contained(before.needed, name);
  });
  for (const std::string &needed : before.needed) {
    if (llvm::is_contained(after.needed, needed) || StringRef(needed).starts_with("libpython"))
      continue;
    if (isOfRuntime(needed) || renamed-- == 0)
      return needed;
  }
  return {};
}

std::string lostOf(const BinaryFacts &before, const BinaryFacts &after,
                   const llvm::StringSet<> &grafted) {
  if (before.manifest.links != after.manifest.links)
    return "the manifest";
  if (std::string needed = lostNeeded(before, after, grafted); !needed.empty())
    return fmt::format("NEEDED {}", needed);
  if (std::string entry = lostEntry(before, after); !entry.empty())
    return fmt::format("the search path entry {}", entry);
  return {};
}

llvm::Error compareFiles(const ReadWheel &before, const ReadWheel &after,
                         llvm::ArrayRef<std::string> grafted) {
  std::map<std::string, const BinaryFacts *> made;
  for (size_t i = 0; i != after.files.size(); ++i)
    if (after.files[i].state == ReadFile::State::Read)
      made[after.memberOf(i)] = &after.files[i].facts;
  llvm::StringSet<> names;
  for (StringRef path : grafted)
    names.insert(support::nameOf(path));
  for (size_t i = 0; i != before.files.size(); ++i) {
    if (before.files[i].state != ReadFile::State::Read)
      continue;
    BinaryFacts facts = before.files[i].facts;
    facts.path = before.memberOf(i);
    // auditwheel moves programs of the scripts folder; then nothing of ours is left there.
    BinaryFacts none;
    llvm::copy_if(facts.needed, std::back_inserter(none.needed),
                  [](const std::string &needed) { return !isOfRuntime(needed); });
    auto other = made.find(facts.path);
    std::string lost = lostOf(facts, other == made.end() ? none : *other->second, names);
    if (lost.empty())
      continue;
    std::vector<Fact> what{{"file", facts.path}, {"lost", lost}};
    if (other == made.end())
      what.push_back({"because", "auditwheel moved it: copied libraries are in site-packages"});
    return makeError(Code::AuditwheelFailed,
                     fmt::format("auditwheel did not keep {}", support::nameOf(facts.path)),
                     std::move(what));
  }
  return llvm::Error::success();
}

} // namespace cudacc::commands
