// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Frameworks.h"
#include "driver/tables/lookup/Lookup.h"
#include "driver/tables/lookup/Tables.h"
#include "driver/tables/lookup/UserTables.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tables {

std::string FrameworkName::str() const {
  std::string text = name.str();
  for (llvm::StringRef extra : extras)
    text += (extra == extras.front() ? "[" : ",") + extra.str();
  return extras.empty() ? text : text + "]";
}

FrameworkName frameworkAt(uint16_t index) {
  const rows::FrameworkNameRow &row = rows::frameworkNames()[index];
  FrameworkName result;
  result.name = rows::str(row.name);
  for (uint16_t extra : rows::list(row.extras))
    result.extras.push_back(rows::str(extra));
  result.framework = rows::str(row.framework);
  result.major = row.major;
  result.index = index;
  return result;
}

std::vector<FrameworkName> frameworkNames() {
  std::vector<FrameworkName> all;
  for (size_t i = 0; i < rows::frameworkNames().size(); ++i)
    all.push_back(frameworkAt(uint16_t(i)));
  return all;
}

llvm::SmallVector<FrameworkName, 2> frameworksCalled(llvm::StringRef name) {
  auto rows = rows::frameworkNames();
  auto it = llvm::lower_bound(rows, name, [](const auto &row, llvm::StringRef wanted) {
    return rows::str(row.name) < wanted;
  });
  llvm::SmallVector<FrameworkName, 2> all;
  for (; it != rows.end() && rows::str(it->name) == name; ++it)
    all.push_back(frameworkAt(uint16_t(it - rows.begin())));
  return all;
}

static FrameworkRun runAt(size_t index) {
  const rows::FrameworkRow &row = rows::frameworks()[index];
  FrameworkRun run;
  run.first = rows::str(row.first);
  for (uint16_t text : rows::list(row.read))
    run.read.push_back(rows::str(text));
  run.major = row.major;
  run.from = {row.major, row.fromMinor};
  run.to = {row.major, row.toMinor};
  if (row.release != rows::None) {
    const rows::ReleaseRow &behind = rows::releases()[row.release];
    run.toolkit = ToolkitRelease{behind.major, behind.minor, behind.patch, row.release};
  }
  run.torch = rows::str(row.torch);
  run.kind = FrameworkPins(row.kind);
  run.confidence = Confidence(row.confidence);
  run.toolkitFloats = row.toolkitFloats != 0;
  run.requiresCuda = row.requiresCuda != 0;
  run.index = uint16_t(index);
  return run;
}

static FrameworkRun runAt(const UserTables &added, size_t index) {
  const rows::Framework &row = added.frameworks[index];
  FrameworkRun run;
  run.first = row.first;
  run.read.append(row.read.begin(), row.read.end());
  run.major = row.major;
  run.from = row.from;
  run.to = row.to;
  if (const auto &number = row.toolkit)
    run.toolkit = findToolkitRelease((*number)[0], (*number)[1], (*number)[2], &added);
  run.torch = row.torch;
  run.kind = row.kind;
  run.confidence = row.confidence;
  run.toolkitFloats = row.toolkitFloats;
  run.requiresCuda = row.requiresCuda;
  run.index = uint16_t(index);
  run.addedBy = &added;
  return run;
}

static versions::Version firstOf(const FrameworkRun &run) {
  return versions::Version::parse(run.first).value_or(versions::Version{});
}

std::vector<FrameworkRun> frameworkRuns(const FrameworkName &name, const UserTables *more) {
  std::vector<FrameworkRun> runs;
  for (auto [index, row] : llvm::enumerate(rows::frameworks()))
    if (rows::str(row.framework) == name.framework && (!name.major || row.major == name.major))
      runs.push_back(runAt(index));
  if (!more || more->frameworks.empty())
    return runs;
  for (auto [index, row] : llvm::enumerate(more->frameworks))
    if (row.name == name.framework && (!name.major || row.major == name.major))
      runs.push_back(runAt(*more, index));
  llvm::stable_sort(runs, [](const FrameworkRun &a, const FrameworkRun &b) {
    return std::tuple(firstOf(a), a.major) < std::tuple(firstOf(b), b.major);
  });
  return runs;
}

llvm::SmallVector<Pin, 20> frameworkPins(const FrameworkRun &run) {
  if (run.addedBy)
    return rows::pinsOf(run.addedBy->frameworks[run.index].pins);
  return rows::pinsOf(rows::pinRowsOf(rows::frameworks()[run.index].pinSet));
}

} // namespace cudacc::tables
