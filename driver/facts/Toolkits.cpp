#include "driver/facts/Toolkits.h"
#include "driver/facts/Lookup.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::facts {

using core::CudaVersion;

std::string ToolkitRelease::str() const { return line().str() + "." + std::to_string(patch); }

static ToolkitRelease release(size_t index) {
  const tables::ReleaseRow &row = tables::releases()[index];
  return {row.major, row.minor, row.patch, uint16_t(index)};
}

std::vector<ToolkitRelease> toolkitReleases() {
  std::vector<ToolkitRelease> all;
  for (size_t i = 0; i < tables::releases().size(); ++i)
    all.push_back(release(i));
  return all;
}

std::vector<CudaVersion> toolkitLines() {
  std::vector<CudaVersion> lines;
  for (const tables::ReleaseRow &row : tables::releases())
    if (CudaVersion line{row.major, row.minor}; lines.empty() || lines.back() != line)
      lines.push_back(line);
  return lines;
}

std::optional<ToolkitRelease> findToolkitRelease(unsigned major, unsigned minor, unsigned patch) {
  for (auto [index, row] : llvm::enumerate(tables::releases()))
    if (row.major == major && row.minor == minor && row.patch == patch)
      return release(index);
  return std::nullopt;
}

std::optional<ToolkitRelease> firstRelease(CudaVersion line) {
  for (auto [index, row] : llvm::enumerate(tables::releases()))
    if (CudaVersion{row.major, row.minor} == line)
      return release(index);
  return std::nullopt;
}

std::optional<ToolkitRelease> newestRelease(CudaVersion line) {
  std::optional<ToolkitRelease> newest;
  for (auto [index, row] : llvm::enumerate(tables::releases()))
    if (CudaVersion{row.major, row.minor} == line)
      newest = release(index);
  return newest;
}

llvm::StringRef componentVersion(const ToolkitRelease &release, llvm::StringRef dist) {
  uint16_t wanted = tables::findDist(dist);
  for (const tables::ComponentRow &row : tables::componentsOf(release.index))
    if (row.dist == wanted)
      return tables::versionText(row.version);
  return {};
}

llvm::SmallVector<ToolkitRelease, 4> releasesOf(llvm::StringRef dist,
                                                const core::Version &version) {
  llvm::SmallVector<ToolkitRelease, 4> found;
  uint16_t index = tables::findDist(dist);
  const tables::WheelRow *row = index == tables::None ? nullptr : tables::findWheel(index, version);
  if (row)
    for (uint8_t each : tables::releaseLists().slice(row->firstRelease, row->releaseCount))
      found.push_back(release(each));
  return found;
}

CudaVersion lineOf(llvm::StringRef dist, const core::Version &version) {
  uint16_t index = tables::findDist(dist);
  if (index == tables::None)
    return {};
  const tables::DistRow &row = tables::dists()[index];
  if (row.startsWithMinor && version.release.size() > 1 && version.at(0) < 1000 &&
      version.at(1) < 1000)
    return {unsigned(version.at(0)), unsigned(version.at(1))};
  auto releases = releasesOf(dist, version);
  return releases.empty() ? CudaVersion{} : releases.front().line();
}

} // namespace cudacc::facts
