#include "driver/resolve/ResolveEnvironment.h"
#include "driver/resolve/EnvironmentErrors.h"
#include "driver/resolve/InstalledCuda.h"
#include "driver/resolve/PlaceLine.h"
#include "driver/tables/lookup/Drivers.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::resolve {

using namespace core;
using namespace versions;
using llvm::StringRef;

namespace {

class EnvironmentResolution {
public:
  EnvironmentResolution(llvm::ArrayRef<Wish> wishes, const Wish &env,
                        const PythonEnvironment &environment, Target &target)
      : wishes(wishes), env(env), environment(environment), target(target),
        libraries(placedLibraries(environment, env.more)) {}
  llvm::Error resolve();

private:
  std::vector<PlaceLine> candidates();
  llvm::Expected<PlaceLine> choose();
  llvm::Error checkTorch();
  llvm::Error checkFrameworks();
  void addRows();
  void addRow(const PlacedLibrary &placed);

  llvm::ArrayRef<Wish> wishes;
  const Wish &env;
  const PythonEnvironment &environment;
  Target &target;
  std::vector<PlacedLibrary> libraries;
};

/// `.venv`, the way people call it.
StringRef nameOf(const PythonEnvironment &environment) {
  return StringRef(environment.prefix).rtrim('/').rsplit('/').second;
}

/// torch's release with the label of its build, which METADATA on PyPI leaves out.
std::optional<Version> versionOf(const InstalledTorch &torch) {
  auto version = Version::parse(torch.version);
  if (auto line = CudaVersion::parse(torch.cuda); version && version->local.empty() && line)
    version->local.push_back(fmt::format("cu{}{}", line->major, line->minor));
  return version;
}

} // namespace

bool hasCuda(const PythonEnvironment &environment) {
  return lineOfTorch(environment).known() || !placedLibraries(environment).empty();
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
  auto [good, has] = resolve::choose(wishes, found);
  if (good.size() == 1)
    return good.front();
  return good.empty()
             ? notInstalled(wishes, fmt::format("CUDA {}", found.front().line), std::move(has))
             : severalMajors(env, std::move(has));
}

llvm::Error EnvironmentResolution::checkTorch() {
  std::optional<Version> has;
  if (environment.torch)
    has = versionOf(*environment.torch);
  for (const Wish &wish : wishes) {
    if (wish.form != Form::Torch || (has && wish.specifiers.contains(*has, /*pre=*/true)))
      continue;
    std::string what = !environment.torch ? "no torch" : "torch " + environment.torch->version;
    Fact where{"has", environment.torch ? fmt::format("{} at {}", what, environment.torch->path)
                                        : fmt::format("{} in {}", what, environment.prefix)};
    return notInstalled(wishes, what, {where});
  }
  if (has) {
    target.torch = has->str();
    has->local.clear();
    target.torchReleases = {has->str()};
  }
  return llvm::Error::success();
}

/// Other frameworks by the release that is installed; what they bring is there or it is not.
llvm::Error EnvironmentResolution::checkFrameworks() {
  for (const Wish &wish : wishes) {
    if (wish.form != Form::Framework)
      continue;
    StringRef name = wish.framework.name;
    auto dist = llvm::find_if(environment.distributions,
                              [&](const InstalledDistribution &each) { return name == each.name; });
    if (dist == environment.distributions.end())
      return notInstalled(wishes, fmt::format("no {}", name),
                          {{"has", fmt::format("no {} in {}", name, environment.prefix)}});
    auto has = Version::parse(dist->version);
    if (has && wish.specifiers.contains(*has, /*pre=*/true))
      continue;
    std::string what = fmt::format("{} {}", name, has ? dist->version : "of an unknown version");
    return notInstalled(wishes, what,
                        {{"has", fmt::format("{} at {}/{}", what, dist->where, dist->metadata)}});
  }
  return llvm::Error::success();
}

void EnvironmentResolution::addRow(const PlacedLibrary &placed) {
  const InstalledLibrary &library = *placed.library;
  TargetLibrary &row = target.libraries.emplace_back();
  row.soname = library.soname;
  row.dist = placed.dist.str();
  row.version = placed.version;
  row.cuda = placed.line;
  row.folder = library.folder;
  row.path = library.path;
  row.origin = fmt::format("installed in {}", nameOf(environment));
  if (library.bundled)
    row.origin = fmt::format("bundled with torch in {}", nameOf(environment));
  else if (library.dist.empty())
    row.origin = fmt::format("lies in {}, claimed by nothing", nameOf(environment));
  else if (library.dist != placed.dist)
    row.origin += ": " + library.metadata;
}

/// The directory that Python searches first has the copy that counts.
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
  if (llvm::Error error = checkTorch())
    return error;
  if (llvm::Error error = checkFrameworks())
    return error;
  auto chosen = choose();
  if (!chosen)
    return chosen.takeError();
  target.line = chosen->line;
  if (chosen->releases.size() == 1)
    target.release = chosen->releases.front().str();
  target.driverFloor = tables::driverFloor(target.line.major).str();
  target.machine = environment.machine;
  target.sitePackages = environment.sitePackages;
  target.problems = environment.problems;
  addRows();
  return llvm::Error::success();
}

llvm::Error resolveEnvironment(llvm::ArrayRef<Wish> wishes, const Wish &env,
                               const PythonEnvironment &environment, Target &target) {
  return EnvironmentResolution(wishes, env, environment, target).resolve();
}

} // namespace cudacc::resolve
