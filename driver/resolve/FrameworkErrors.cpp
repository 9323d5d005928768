// SPDX-License-Identifier: Apache-2.0
#include "driver/resolve/FrameworkErrors.h"
#include "driver/core/Diagnostic.h"
#include "driver/resolve/FrameworkCandidates.h"
#include "driver/resolve/ResolveErrors.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::resolve {

using namespace core;
using namespace versions;
using llvm::StringRef;

namespace {

llvm::Error finish(Finding result, CudaVersion line) {
  result.fixes.insert(result.fixes.begin(),
                      {"env:PATH, what is installed there",
                       fmt::format("the CUDA line that it has there, as in cuda=={}", line)});
  return makeError(std::move(result));
}

/// The CUDA line of a run, or the oldest known line that it allows.
CudaVersion lineOf(const tables::FrameworkRun &run) {
  for (CudaVersion line : tables::toolkitLines())
    if (line >= run.from && line <= run.to)
      return line;
  return tables::toolkitLines().back();
}

/// The known releases by CUDA major: `0.4.30 to 0.12.0.1 (CUDA 12)`.
std::string known(llvm::ArrayRef<tables::FrameworkRun> runs) {
  std::string list;
  for (auto it = runs.begin(); it != runs.end();) {
    auto end =
        std::find_if(it, runs.end(), [&](const auto &run) { return run.major != it->major; });
    StringRef last = end[-1].read.empty() ? end[-1].first : end[-1].read.back();
    support::appendItem(list, fmt::format("{}{} (CUDA {})", it->first,
                                          last == it->first ? "" : fmt::format(" to {}", last),
                                          it->major));
    it = end;
  }
  return list;
}

/// The tables have no torch that satisfies the release's specifier, or no CUDA line that it allows.
llvm::Error nothingBehind(const DeclaredRequirement &requirement, const FrameworkRelease &release) {
  const tables::FrameworkRun &run = release.run;
  bool torch = !run.torch.empty();
  std::string needs = torch ? fmt::format("torch{}", run.torch) : fmt::format("CUDA {}", run.from);
  Finding result = findingAbout(
      Code::UnknownRelease,
      fmt::format("what {} needs is in no table", describe(requirement, release)), requirement);
  result.addFact("needs", needs + (torch ? "" : " or newer"));
  addUpdate(requirement.more, result);
  return finish(std::move(result), lineOf(run));
}

} // namespace

llvm::Error unknownFramework(const DeclaredRequirement &requirement) {
  auto releases = releasesOf(requirement);
  auto withCuda =
      llvm::find_if(releases, [](const FrameworkRelease &each) { return each.run.requiresCuda; });
  if (withCuda != releases.end())
    return nothingBehind(requirement, *withCuda);
  auto runs = tables::frameworkRuns(requirement.framework, requirement.more);
  if (releases.empty()) {
    Finding result = findingAbout(Code::UnknownRelease,
                                  fmt::format("no known {} release satisfies {}",
                                              requirement.framework.name, requirement.text()),
                                  requirement);
    result.addFact("known", known(runs));
    addUpdate(requirement.more, result);
    return finish(std::move(result), lineOf(runs.back()));
  }
  std::string name = describe(requirement, releases.back());
  Finding result =
      findingAbout(Code::UnknownRelease,
                   fmt::format("which CUDA libraries {} has is unknown", name), requirement);
  result.addFact("because", "its metadata pins no CUDA library");
  return finish(std::move(result), lineOf(releases.back().run));
}

llvm::Error doNotFit(llvm::ArrayRef<DeclaredRequirement> requirements, std::string reason) {
  Finding result =
      findingAbout(Code::Constraint, "the declared frameworks cannot be installed together",
                   requirements, "requires");
  result.addFact("because", std::move(reason));
  result.fixes = {"declare releases that fit together", "leave one of them out"};
  return makeError(std::move(result));
}

} // namespace cudacc::resolve
