#include "driver/facts/Torch.h"
#include "driver/facts/Tables.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::facts {

using core::CudaVersion;

std::string TorchRelease::str() const {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

static TorchRelease release(size_t index) {
  const tables::TorchRow &row = tables::torchReleases()[index];
  const tables::TorchLineRow &line = tables::linesOf(index)[row.defaultLine];
  return {row.major, row.minor, row.patch, {line.major, line.minor}, uint16_t(index)};
}

std::vector<TorchRelease> torchReleases() {
  std::vector<TorchRelease> all;
  all.reserve(tables::torchReleases().size());
  for (size_t i = 0; i < tables::torchReleases().size(); ++i)
    all.push_back(release(i));
  return all;
}

static TorchLine line(const TorchRelease &of, size_t position) {
  const tables::TorchRow &owner = tables::torchReleases()[of.index];
  const tables::TorchLineRow &row = tables::linesOf(of.index)[position];
  TorchLine result;
  result.cuda = {row.major, row.minor};
  result.tag = tables::str(row.tag);
  result.isDefault = position == owner.defaultLine;
  result.index = uint16_t(owner.firstLine + position);
  if (row.release != tables::None) {
    const tables::ReleaseRow &behind = tables::releases()[row.release];
    result.toolkit = ToolkitRelease{behind.major, behind.minor, behind.patch, row.release};
  }
  result.pinSet = row.pinSet;
  result.pinsKnown = row.pinSet != tables::None;
  result.pinsComplete = result.pinsKnown && tables::pinSets()[row.pinSet].complete;
  return result;
}

llvm::SmallVector<TorchLine, 4> torchLines(const TorchRelease &release) {
  llvm::SmallVector<TorchLine, 4> lines;
  for (size_t i = 0; i < tables::linesOf(release.index).size(); ++i)
    lines.push_back(line(release, i));
  return lines;
}

TorchLine defaultTorchLine(const TorchRelease &release) {
  return line(release, tables::torchReleases()[release.index].defaultLine);
}

llvm::SmallVector<TorchPin, 20> torchPins(const TorchLine &line) {
  llvm::SmallVector<TorchPin, 20> pins;
  uint16_t set = tables::torchLine(line.index).pinSet;
  if (set == tables::None)
    return pins;
  for (const tables::PinRow &row : tables::pinsOf(set))
    pins.push_back({tables::str(tables::dists()[row.dist].name), tables::versionText(row.floor),
                    row.floats != 0, PinKind(row.kind), Confidence(row.confidence)});
  return pins;
}

bool isTorchLibrary(llvm::StringRef file) {
  for (llvm::StringRef stem : {"libtorch", "libc10"})
    if (llvm::StringRef rest = file; rest.consume_front(stem) && rest.contains(".so"))
      return rest.front() == '.' || rest.front() == '_';
  return false;
}

std::optional<TorchRelease> firstTorchWithLine(CudaVersion line) {
  for (size_t i = 0; i < tables::torchReleases().size(); ++i)
    if (TorchRelease each = release(i);
        each.defaultLine.major == line.major && each.defaultLine >= line)
      return each;
  return std::nullopt;
}

} // namespace cudacc::facts
