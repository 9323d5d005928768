// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Frameworks.h"
#include "driver/tables/lookup/Lookup.h"
#include "driver/tables/lookup/TextTable.h"
#include "driver/tables/lookup/UserTables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <mutex>

namespace cudacc::tables {

std::string FrameworkName::str() const {
  std::string text = name.str();
  for (llvm::StringRef extra : extras)
    text += (extra == extras.front() ? "[" : ",") + extra.str();
  return extras.empty() ? text : text + "]";
}

const std::vector<FrameworkName> &frameworkNames() {
  static const auto all = rows::readTable<FrameworkName>("frameworkNames");
  return all;
}

llvm::SmallVector<FrameworkName, 2> frameworksCalled(llvm::StringRef name) {
  llvm::SmallVector<FrameworkName, 2> all;
  llvm::copy_if(frameworkNames(), std::back_inserter(all),
                [&](const FrameworkName &each) { return each.name == name; });
  return all;
}

static FrameworkRun runOf(const rows::Framework &row, const UserTables *more) {
  FrameworkRun run;
  run.first = row.first;
  run.read.append(row.read.begin(), row.read.end());
  run.major = row.major;
  run.from = row.from;
  run.to = row.to;
  if (const auto &number = row.toolkit)
    run.toolkit = findToolkitRelease((*number)[0], (*number)[1], (*number)[2], more);
  run.torch = row.torch;
  run.kind = row.kind;
  run.confidence = row.confidence;
  run.toolkitFloats = row.toolkitFloats;
  run.requiresCuda = row.requiresCuda;
  run.row = &row;
  return run;
}

static versions::Version firstOf(const FrameworkRun &run) {
  return versions::Version::parse(run.first).value_or(versions::Version{});
}

/// The built-in rows of a framework.
static const std::vector<rows::Framework> &builtInRuns(llvm::StringRef framework) {
  static const auto texts =
      rows::readTable<std::pair<llvm::StringRef, llvm::StringRef>>("frameworks");
  static llvm::StringMap<std::vector<rows::Framework>> all;
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  auto [it, isNew] = all.try_emplace(framework);
  for (const auto &[name, text] : texts)
    if (isNew && name == framework)
      rows::take(text, it->second.emplace_back());
  return it->second;
}

std::vector<FrameworkRun> frameworkRuns(const FrameworkName &name, const UserTables *more) {
  std::vector<FrameworkRun> runs;
  auto add = [&](const std::vector<rows::Framework> &rows) {
    for (const rows::Framework &row : rows)
      if (row.name == name.framework && (!name.major || row.major == name.major))
        runs.push_back(runOf(row, more));
  };
  add(builtInRuns(name.framework));
  if (!more || more->frameworks.empty())
    return runs;
  add(more->frameworks);
  llvm::stable_sort(runs, [](const FrameworkRun &a, const FrameworkRun &b) {
    return std::tuple(firstOf(a), a.major) < std::tuple(firstOf(b), b.major);
  });
  return runs;
}

llvm::SmallVector<Pin, 20> frameworkPins(const FrameworkRun &run) {
  return rows::pinsOf(run.row->pins);
}

} // namespace cudacc::tables
