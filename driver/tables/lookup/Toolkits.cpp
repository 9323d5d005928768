// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Toolkits.h"
#include "driver/tables/lookup/Lookup.h"
#include "driver/tables/lookup/UserTables.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tables {

using versions::CudaVersion;

std::string ToolkitRelease::str() const { return fmt::format("{}.{}", line(), patch); }

static ToolkitRelease release(size_t index) {
  const rows::ReleaseRow &row = rows::releases()[index];
  return {row.major, row.minor, row.patch, uint16_t(index), nullptr};
}

static ToolkitRelease release(const UserTables &from, size_t index) {
  const rows::Number &number = from.toolkits[index].number;
  return {number[0], number[1], number[2], uint16_t(index), &from};
}

static void order(llvm::MutableArrayRef<ToolkitRelease> releases) {
  llvm::sort(releases, [](const auto &a, const auto &b) { return a.number() < b.number(); });
}

std::vector<ToolkitRelease> toolkitReleases(const UserTables *more) {
  std::vector<ToolkitRelease> all;
  for (size_t i = 0; i < rows::releases().size(); ++i)
    all.push_back(release(i));
  for (size_t i = 0; more && i < more->toolkits.size(); ++i)
    all.push_back(release(*more, i));
  if (more)
    order(all);
  return all;
}

std::vector<CudaVersion> toolkitLines(const UserTables *more) {
  std::vector<CudaVersion> lines;
  for (const ToolkitRelease &each : toolkitReleases(more))
    if (lines.empty() || lines.back() != each.line())
      lines.push_back(each.line());
  return lines;
}

std::vector<unsigned> toolkitMajors(const UserTables *more) {
  std::vector<unsigned> majors;
  for (CudaVersion line : toolkitLines(more))
    if (majors.empty() || majors.back() != line.major)
      majors.push_back(line.major);
  return majors;
}

std::optional<ToolkitRelease> findToolkitRelease(unsigned major, unsigned minor, unsigned patch,
                                                 const UserTables *more) {
  for (auto [index, row] : llvm::enumerate(rows::releases()))
    if (row.major == major && row.minor == minor && row.patch == patch)
      return release(index);
  for (size_t i = 0; more && i < more->toolkits.size(); ++i)
    if (more->toolkits[i].number == rows::Number{major, minor, patch})
      return release(*more, i);
  return std::nullopt;
}

/// The first or the last release of the line.
static std::optional<ToolkitRelease> endOf(CudaVersion line, bool last, const UserTables *more) {
  std::optional<ToolkitRelease> found;
  auto take = [&](const ToolkitRelease &each) {
    if (each.line() == line &&
        (!found || (last ? found->number() < each.number() : each.number() < found->number())))
      found = each;
  };
  for (size_t i = 0; i < rows::releases().size(); ++i)
    take(release(i));
  for (size_t i = 0; more && i < more->toolkits.size(); ++i)
    take(release(*more, i));
  return found;
}

std::optional<ToolkitRelease> firstRelease(CudaVersion line, const UserTables *more) {
  return endOf(line, false, more);
}

std::optional<ToolkitRelease> newestRelease(CudaVersion line, const UserTables *more) {
  return endOf(line, true, more);
}

llvm::StringRef componentVersion(const ToolkitRelease &release, llvm::StringRef dist) {
  if (release.from) {
    for (const auto &[name, version] : release.from->toolkits[release.index].components)
      if (name == dist)
        return version;
    return {};
  }
  uint16_t wanted = rows::findDist(dist);
  for (const rows::ComponentRow &row : rows::componentsOf(release.index))
    if (row.dist == wanted)
      return rows::versionText(row.version);
  return {};
}

llvm::SmallVector<ToolkitRelease, 4>
releasesOf(llvm::StringRef dist, const versions::Version &version, const UserTables *more) {
  llvm::SmallVector<ToolkitRelease, 4> found;
  uint16_t index = rows::findDist(dist);
  const rows::WheelRow *row = index == rows::None ? nullptr : rows::findWheel(index, version);
  if (row)
    for (uint8_t each : rows::releaseLists().slice(row->firstRelease, row->releaseCount))
      found.push_back(release(each));
  const auto *added = more ? more->releasesOf(dist, version) : nullptr;
  if (!added)
    return found;
  for (const rows::Number &each : *added)
    found.push_back(*findToolkitRelease(each[0], each[1], each[2], more));
  order(found);
  found.erase(
      llvm::unique(found, [](const auto &a, const auto &b) { return a.number() == b.number(); }),
      found.end());
  return found;
}

/// A user's file takes precedence: its version may be the first that does not begin with the minor.
static bool startsWithMinor(llvm::StringRef dist, const UserTables *more) {
  if (more)
    if (auto added = more->dists.find(dist); added != more->dists.end())
      return rows::startsWithMinor(added->second.numbering);
  uint16_t index = rows::findDist(dist);
  return index != rows::None &&
         rows::startsWithMinor(rows::Numbering(rows::dists()[index].numbering));
}

CudaVersion lineOf(llvm::StringRef dist, const versions::Version &version, const UserTables *more) {
  if (startsWithMinor(dist, more) && version.release.size() > 1 && version.at(0) < 1000 &&
      version.at(1) < 1000)
    return {unsigned(version.at(0)), unsigned(version.at(1))};
  auto releases = releasesOf(dist, version, more);
  return releases.empty() ? CudaVersion{} : releases.front().line();
}

} // namespace cudacc::tables
