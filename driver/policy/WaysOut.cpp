#include "driver/policy/WaysOut.h"
#include "driver/facts/Libraries.h"
#include "driver/facts/Torch.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;

std::string firstTorchWith(CudaVersion version) {
  auto torch = facts::firstTorchWithLine(version);
  if (!torch)
    return {};
  return "torch>=" + torch->str() + " (CUDA " + torch->defaultLine.str() + ")";
}

/// What the line has of a distribution: what it pins, else what its toolkit has.
static llvm::StringRef versionIn(const facts::TorchLine &line, llvm::StringRef dist) {
  for (const facts::Pin &pin : facts::torchPins(line))
    if (pin.dist == dist)
      return pin.floor;
  return line.toolkit ? facts::componentVersion(*line.toolkit, dist) : "";
}

static bool serves(const facts::TorchLine &line, llvm::ArrayRef<LibraryFloor> floors) {
  return llvm::all_of(floors, [&](const LibraryFloor &floor) {
    if (floor.dist.empty())
      return true;
    auto version = Version::parse(versionIn(line, floor.dist));
    return version && *version >= floor.least &&
           !llvm::is_contained(floor.exceptions, version->str());
  });
}

static bool isDriver(const LibraryFloor &floor) {
  auto known = facts::libraryByFileName(floor.soname);
  return known && known->origin == facts::LibraryOrigin::Driver;
}

std::string firstTorchServing(llvm::ArrayRef<LibraryFloor> floors, unsigned major) {
  for (const facts::TorchRelease &release : facts::torchReleases())
    if (release.defaultLine.major == major && serves(facts::defaultTorchLine(release), floors))
      return "torch>=" + release.str() + " (CUDA " + release.defaultLine.str() + ")";
  return {};
}

std::string buildableHere(llvm::ArrayRef<NearbyToolkit> toolkits) {
  for (const NearbyToolkit &toolkit : toolkits) {
    if (!toolkit.cuda.known())
      continue;
    if (auto torch = facts::firstTorchWithLine(toolkit.cuda))
      return "torch==" + torch->str();
    return "cuda==" + toolkit.cuda.str();
  }
  return "torch==2.5.1";
}

static bool pinsOlder(const facts::TorchLine &line, const LibraryFloor &floor) {
  for (const facts::Pin &pin : facts::torchPins(line)) {
    auto version = Version::parse(pin.floor);
    if (pin.dist == floor.dist && !pin.floats && version && *version < floor.least)
      return true;
  }
  return false;
}

std::string torchPinningOlder(const LibraryFloor &floor, unsigned major) {
  std::string first, last;
  for (const facts::TorchRelease &release : facts::torchReleases()) {
    if (release.defaultLine.major != major || !pinsOlder(facts::defaultTorchLine(release), floor))
      continue;
    last = release.str();
    first = first.empty() ? last : first;
  }
  if (first.empty())
    return {};
  return first == last ? "torch " + first : "torch " + first + " to " + last;
}

bool isDeclaredByLine(const Target &target) {
  return target.torch.empty() && target.sitePackages.empty() && !target.declaredAs.empty() &&
         llvm::all_of(target.declaredAs, [](const Setting<std::string> &each) {
           llvm::StringRef text = each.value;
           return text.starts_with("cuda") || text.starts_with("sm") || text.starts_with("driver");
         });
}

/// The line of the major nearest to the target's whose first release has every floor: what `cuda==`
/// of it promises. Libraries that no toolkit brings are left aside.
static std::optional<CudaVersion> lineServing(const Target &target,
                                              llvm::ArrayRef<LibraryFloor> floors, unsigned major) {
  std::vector<CudaVersion> lines = facts::toolkitLines();
  if (major < target.line.major)
    std::reverse(lines.begin(), lines.end());
  for (CudaVersion line : lines) {
    auto release = line.major == major ? facts::firstRelease(line) : std::nullopt;
    if (release && llvm::all_of(floors, [&](const LibraryFloor &floor) {
          auto version = Version::parse(facts::componentVersion(*release, floor.dist));
          return floor.dist.empty() || !version ||
                 (*version >= floor.least && !llvm::is_contained(floor.exceptions, version->str()));
        }))
      return line;
  }
  return std::nullopt;
}

std::string torchServing(const Target &target, llvm::ArrayRef<LibraryFloor> floors,
                         unsigned major) {
  if (major == 0)
    major = target.line.major;
  // A name that no version has cannot be had by another release.
  for (const LibraryFloor &floor : floors)
    if (!floor.known() && floor.unknown.empty() && floor.imports != 0 && !isDriver(floor))
      return {};
  if (isDeclaredByLine(target)) {
    auto line = lineServing(target, floors, major);
    if (!line || *line == target.line)
      return {};
    return (*line > target.line ? "raise" : "lower") + (" the runtime to cuda==" + line->str());
  }
  std::optional<facts::TorchRelease> last;
  for (const facts::TorchRelease &release : facts::torchReleases()) {
    if (release.defaultLine.major != major)
      continue;
    if (!serves(facts::defaultTorchLine(release), floors))
      continue;
    if (release.defaultLine >= target.line)
      return "raise the runtime to torch>=" + release.str() + " (CUDA " +
             release.defaultLine.str() + ")";
    last = release;
  }
  if (!last || major >= target.line.major)
    return {};
  return "lower the runtime to torch==" + last->str() + " (CUDA " + last->defaultLine.str() + ")";
}

} // namespace cudacc::policy
