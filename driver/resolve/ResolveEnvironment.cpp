// SPDX-License-Identifier: Apache-2.0
#include "driver/resolve/EnvironmentErrors.h"
#include "driver/resolve/InstalledCuda.h"
#include "driver/resolve/PlaceLine.h"
#include "driver/resolve/ResolvePlace.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::resolve {

using namespace core;
using namespace versions;
using llvm::StringRef;

namespace {

class EnvironmentResolution {
public:
  EnvironmentResolution(llvm::ArrayRef<DeclaredRequirement> requirements,
                        const DeclaredRequirement &env, const PythonEnvironment &environment,
                        Target &target)
      : requirements(requirements), env(env), environment(environment), target(target),
        libraries(placedLibraries(environment, env.more)) {}
  llvm::Error resolve();

private:
  std::vector<PlaceLine> candidates();
  llvm::Expected<PlaceLine> choose();
  PlaceRelease torchRelease() const;
  PlaceRelease releaseOf(StringRef name) const;
  void addRows();
  void addRow(const PlacedLibrary &placed);

  llvm::ArrayRef<DeclaredRequirement> requirements;
  const DeclaredRequirement &env;
  const PythonEnvironment &environment;
  Target &target;
  std::vector<PlacedLibrary> libraries;
};

/// `.venv`: the last component of the prefix.
StringRef nameOf(const PythonEnvironment &environment) {
  return StringRef(environment.prefix).rtrim('/').rsplit('/').second;
}

/// The release of torch with the label of its build, which METADATA on PyPI omits.
std::optional<Version> versionOf(const InstalledTorch &torch) {
  auto version = Version::parse(torch.version);
  if (auto line = CudaVersion::parse(torch.cuda); version && version->local.empty() && line)
    version->local.push_back(fmt::format("cu{}{}", line->major, line->minor));
  return version;
}

} // namespace

bool hasCuda(const PythonEnvironment &environment) {
  // NCCL and cuDNN say nothing about the runtime.
  return lineOfTorch(environment).known() ||
         llvm::any_of(placedLibraries(environment), [](const PlacedLibrary &each) {
           return each.isRuntime() || each.line.known();
         });
}

std::vector<PlaceLine> EnvironmentResolution::candidates() {
  std::vector<PlacePart> parts;
  for (const PlacedLibrary &each : libraries)
    parts.push_back({each.line, each.isRuntime(), each.dist, each.version, each.library->path});
  PlacePart torch;
  torch.line = lineOfTorch(environment);
  if (environment.torch)
    torch.evidence = environment.torch->path + "/version.py";
  return placeLines(parts, torch, env.more);
}

llvm::Expected<PlaceLine> EnvironmentResolution::choose() {
  std::vector<PlaceLine> found = candidates();
  CudaVersion torch = lineOfTorch(environment);
  for (const PlacedLibrary &each : libraries) {
    bool counts = !torch.known() || !each.major || each.major == torch.major;
    if (each.isRuntime() && !each.line.known() && counts)
      return unknownRuntime(env, environment, *each.library);
  }
  if (found.empty())
    return noCuda(env, environment);
  return resolve::choose(requirements, env, found);
}

PlaceRelease EnvironmentResolution::torchRelease() const {
  if (!environment.torch)
    return {std::nullopt, "no torch", fmt::format("no torch in {}", environment.prefix)};
  std::string shown = "torch " + environment.torch->version;
  return {versionOf(*environment.torch), shown,
          fmt::format("{} at {}", shown, environment.torch->path)};
}

/// For frameworks other than torch.
PlaceRelease EnvironmentResolution::releaseOf(StringRef name) const {
  auto dist = llvm::find_if(environment.distributions,
                            [&](const InstalledDistribution &each) { return name == each.name; });
  if (dist == environment.distributions.end())
    return {std::nullopt, fmt::format("no {}", name),
            fmt::format("no {} in {}", name, environment.prefix)};
  auto has = Version::parse(dist->version);
  std::string shown = fmt::format("{} {}", name, has ? dist->version : "of an unknown version");
  return {has, shown, fmt::format("{} at {}/{}", shown, dist->where, dist->metadata)};
}

void EnvironmentResolution::addRow(const PlacedLibrary &placed) {
  const InstalledLibrary &library = *placed.library;
  TargetLibrary &row = target.libraries.emplace_back();
  row.soname = library.soname;
  row.dist = placed.dist.str();
  row.version = placed.version;
  row.cuda = placed.line;
  row.folder = library.folder;
  row.ofConda = library.folder.empty();
  row.path = library.path;
  row.origin = fmt::format("installed in {}", nameOf(environment));
  if (library.bundled)
    row.origin = fmt::format("bundled with torch in {}", nameOf(environment));
  else if (library.dist.empty())
    row.origin = fmt::format("in {}, owned by no distribution", nameOf(environment));
  else if (library.dist != placed.dist)
    row.origin += ": " + library.metadata;
}

/// If there are several copies, the one in the directory that Python searches first counts.
void EnvironmentResolution::addRows() {
  for (const PlacedLibrary &each : libraries) {
    if (each.major && each.major != target.line.major)
      continue;
    if (!target.find(each.library->soname))
      addRow(each);
  }
  llvm::sort(target.libraries,
             [](const TargetLibrary &a, const TargetLibrary &b) { return a.soname < b.soname; });
}

llvm::Error EnvironmentResolution::resolve() {
  auto has = [&](const DeclaredRequirement &requirement) -> llvm::Expected<PlaceRelease> {
    return requirement.kind == RequirementKind::Torch ? torchRelease()
                                                      : releaseOf(requirement.framework.name);
  };
  if (llvm::Error error = checkReleases(requirements, has))
    return error;
  setTorch(target, torchRelease().version);
  auto chosen = choose();
  if (!chosen)
    return chosen.takeError();
  setLine(target, *chosen);
  target.machine = environment.machine;
  target.sitePackages = environment.sitePackages;
  target.problems = environment.problems;
  addRows();
  target.findLayout("conda-meta");
  return llvm::Error::success();
}

llvm::Error resolvePlace(llvm::ArrayRef<DeclaredRequirement> requirements,
                         const DeclaredRequirement &env, const PythonEnvironment &environment,
                         Target &target) {
  return EnvironmentResolution(requirements, env, environment, target).resolve();
}

} // namespace cudacc::resolve
