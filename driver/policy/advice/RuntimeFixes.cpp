// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/RuntimeFixes.h"
#include "driver/resolve/Runtimes.h"
#include "driver/support/ShellWord.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "driver/versions/Requirement.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;

/// The version of a distribution that the torch build pins, else the one of its toolkit release.
/// Empty if neither has the distribution.
static llvm::StringRef versionIn(const tables::TorchLine &line, llvm::StringRef dist) {
  for (const tables::Pin &pin : tables::torchPins(line))
    if (pin.dist == dist)
      return pin.floor;
  return line.toolkit ? tables::componentVersion(*line.toolkit, dist) : "";
}

static bool serves(const tables::TorchLine &line, llvm::ArrayRef<LibraryFloor> floors) {
  return llvm::all_of(floors, [&](const LibraryFloor &floor) {
    if (floor.dist.empty())
      return true;
    auto version = Version::parse(versionIn(line, floor.dist));
    return version && *version >= floor.least &&
           !llvm::is_contained(floor.exceptions, version->str());
  });
}

/// The most runtimes for which accepts() is called, since each call judges the input again.
static constexpr unsigned mostTried = 8;

std::string firstTorchServing(llvm::ArrayRef<LibraryFloor> floors, unsigned major,
                              Accepts accepts) {
  unsigned tried = 0;
  for (const tables::TorchRelease &release : tables::torchReleases()) {
    if (release.defaultLine.major != major || !serves(tables::defaultTorchLine(release), floors))
      continue;
    std::string range = resolve::rangeFrom(release);
    if (!accepts || (tried++ < mostTried && accepts(range)))
      return resolve::withLine(range, release.defaultLine);
  }
  return {};
}

std::string buildableHere(llvm::ArrayRef<FoundToolkit> toolkits) {
  for (const FoundToolkit &toolkit : toolkits) {
    if (!toolkit.cuda.known())
      continue;
    if (auto torch = tables::firstTorchWithLine(toolkit.cuda))
      return fmt::format("torch=={}", *torch);
    return fmt::format("cuda=={}", toolkit.cuda);
  }
  return "torch==2.5.1";
}

static bool pinsOlder(const tables::TorchLine &line, const LibraryFloor &floor) {
  return llvm::any_of(tables::torchPins(line), [&](const tables::Pin &pin) {
    return pin.dist == floor.dist && !pin.floats && *Version::parse(pin.floor) < floor.least;
  });
}

std::string torchPinningOlder(const LibraryFloor &floor, unsigned major) {
  std::string first, last;
  for (const tables::TorchRelease &release : tables::torchReleases()) {
    if (release.defaultLine.major != major || !pinsOlder(tables::defaultTorchLine(release), floor))
      continue;
    last = release.str();
    first = first.empty() ? last : first;
  }
  if (first.empty())
    return {};
  return first == last ? "torch " + first : fmt::format("torch {} to {}", first, last);
}

std::string pinnedByTorch(const Target &installed, llvm::StringRef dist) {
  auto torch = Version::parse(installed.torch);
  if (!torch)
    return {};
  torch->local.clear();
  for (const tables::TorchRelease &release : tables::torchReleases()) {
    if (*Version::parse(release.str()) != *torch)
      continue;
    for (const tables::TorchLine &line : tables::torchLines(release))
      if (line.cuda == installed.line)
        for (const tables::Pin &pin : tables::torchPins(line))
          if (pin.dist == dist && !pin.floats)
            return pin.floor.str();
  }
  return {};
}

std::string versionFor(const Target &installed, llvm::StringRef dist, CudaVersion line) {
  if (std::string pin = pinnedByTorch(installed, dist); !pin.empty())
    return pin;
  auto release = tables::newestRelease(line);
  return release ? tables::componentVersion(*release, dist).str() : "";
}

std::string installing(const Target &installed, llvm::StringRef dist) {
  std::string version = versionFor(installed, dist, installed.line);
  return fmt::format("pip install {}{}{}", dist, version.empty() ? "" : "==", version);
}

std::string reinstalling(const TargetLibrary &library) {
  if (library.dist.empty() || library.version.release.empty())
    return fmt::format("install {} again", library.dist.empty() ? library.soname : library.dist);
  return fmt::format("pip install --force-reinstall --no-deps {}=={}", library.dist,
                     library.version);
}

bool isDeclaredByLine(const Target &target) {
  return !target.declaredAs.empty() &&
         llvm::all_of(target.declaredAs, [](const Setting<std::string> &each) {
           llvm::StringRef text = each.value;
           return text.starts_with("cuda") || text.starts_with("sm") || text.starts_with("driver");
         });
}

static bool lineServes(CudaVersion line, llvm::ArrayRef<LibraryFloor> floors) {
  auto release = *tables::firstRelease(line);
  return llvm::all_of(floors, [&](const LibraryFloor &floor) {
    auto version = Version::parse(tables::componentVersion(release, floor.dist));
    return !version ||
           (*version >= floor.least && !llvm::is_contained(floor.exceptions, version->str()));
  });
}

/// The line of \p major nearest to the target's whose first release satisfies every floor; `cuda==`
/// promises no more than the first release. Libraries that no toolkit contains are ignored.
static std::optional<CudaVersion> lineServing(const Target &target,
                                              llvm::ArrayRef<LibraryFloor> floors, unsigned major,
                                              Accepts accepts) {
  std::vector<CudaVersion> newer, older;
  for (CudaVersion line : tables::toolkitLines())
    if (line.major == major && line != target.line && lineServes(line, floors))
      (line > target.line ? newer : older).push_back(line);
  newer.insert(newer.end(), older.rbegin(), older.rend());
  unsigned tried = 0;
  for (CudaVersion line : newer)
    if (!accepts || (tried++ < mostTried && accepts(fmt::format("cuda=={}", line))))
      return line;
  return std::nullopt;
}

static RuntimeFix moveTo(const Target &target, CudaVersion line) {
  RuntimeFix fix;
  fix.text =
      fmt::format("{} the runtime to cuda=={}", line > target.line ? "raise" : "lower", line);
  return fix;
}

/// Releases of the major whose libraries satisfy every floor, in the order in which fixes try them:
/// those of a newer line, oldest first, then those of an older line, newest first.
static std::vector<tables::TorchRelease>
torchesServing(const Target &target, llvm::ArrayRef<LibraryFloor> floors, unsigned major) {
  std::vector<tables::TorchRelease> newer, older;
  for (const tables::TorchRelease &release : tables::torchReleases())
    if (release.defaultLine.major == major && serves(tables::defaultTorchLine(release), floors))
      (release.defaultLine >= target.line ? newer : older).push_back(release);
  newer.insert(newer.end(), older.rbegin(), older.rend());
  return newer;
}

bool satisfies(llvm::StringRef torch, llvm::StringRef requirement) {
  auto installed = Version::parse(torch);
  auto wanted = Requirement::parse(requirement);
  return installed && wanted && wanted->specifiers.contains(*installed, /*pre=*/true);
}

std::string pipArguments(llvm::StringRef torch, llvm::StringRef requirement) {
  return (satisfies(torch, requirement) ? "--force-reinstall " : "") +
         support::shellWord(requirement);
}

/// What pip is asked for. It installs the newest release of a range, so the range is used only if
/// that release is accepted.
static std::string requirementFor(const tables::TorchRelease &release, bool isNewer,
                                  Accepts accepts) {
  std::string exact = fmt::format("torch=={}", release);
  std::string range = resolve::rangeFrom(release), newest;
  for (const tables::TorchRelease &each : tables::torchReleases())
    if (each.defaultLine.major == release.defaultLine.major)
      newest = fmt::format("torch=={}", each);
  if (newest != exact && !(isNewer && accepts && accepts(newest)))
    return exact;
  size_t bound = range.find('<');
  if (!isNewer && bound == std::string::npos)
    return exact;
  return isNewer ? range : "torch" + range.substr(bound);
}

std::optional<RuntimeFix> runtimeServing(const Target &target, llvm::ArrayRef<LibraryFloor> floors,
                                         unsigned major, Accepts accepts) {
  if (major == 0)
    major = target.line.major;
  // No release can satisfy a floor for names that no version exports.
  for (const LibraryFloor &floor : floors)
    if (!floor.known() && floor.unknown.empty() && floor.imports != 0 &&
        !tables::isDriverLibrary(floor.soname))
      return std::nullopt;
  if (isDeclaredByLine(target)) {
    auto line = lineServing(target, floors, major, accepts);
    return line ? std::optional(moveTo(target, *line)) : std::nullopt;
  }
  unsigned tried = 0;
  for (const tables::TorchRelease &release : torchesServing(target, floors, major)) {
    bool isNewer = release.defaultLine >= target.line;
    // Releases of an older line in the same major export nothing that the target lacks, except
    // names that were removed.
    if (!accepts && !isNewer && major >= target.line.major)
      break;
    std::string requirement =
        isNewer ? resolve::rangeFrom(release) : fmt::format("torch=={}", release);
    if (accepts && tried++ == mostTried)
      break;
    if (accepts && !accepts(requirement))
      continue;
    RuntimeFix fix;
    fix.text = fmt::format("{} the runtime to {}", isNewer ? "raise" : "lower",
                           resolve::withLine(requirement, release.defaultLine));
    fix.pip =
        "pip install " + pipArguments(target.torch, requirementFor(release, isNewer, accepts));
    return fix;
  }
  return std::nullopt;
}

std::string runtimeWith(const Target &target, CudaVersion version, Accepts accepts) {
  auto isAccepted = [&](const std::string &requirement) {
    return !accepts || accepts(requirement);
  };
  auto torch = tables::firstTorchWithLine(version);
  if (torch && version > target.line && !isDeclaredByLine(target))
    if (std::string range = resolve::rangeFrom(*torch); isAccepted(range))
      return "raise the runtime to " + resolve::withLine(range, torch->defaultLine);
  return isAccepted(fmt::format("cuda=={}", version)) ? moveTo(target, version).text : "";
}

std::vector<std::string> fixesOfPackage(const std::string &package, CudaVersion line) {
  return {fmt::format("install a release of {} that is built for CUDA {}, up to {}", package,
                      line.major, line),
          fmt::format("ask the maintainers of {} for a build for CUDA {}", package, line)};
}

} // namespace cudacc::policy
