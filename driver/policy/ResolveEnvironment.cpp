#include "driver/policy/ResolveEnvironment.h"
#include "driver/facts/Drivers.h"
#include "driver/facts/Toolkits.h"
#include "driver/policy/EnvironmentErrors.h"
#include "driver/policy/GuardEnvironment.h"
#include "driver/policy/Worlds.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using llvm::StringRef;

namespace {

/// A line that the environment may stand for, and what says so.
struct Candidate {
  CudaVersion line;
  const PlacedLibrary *runtime = nullptr;
  std::string evidence;
};

class Resolution {
public:
  Resolution(llvm::ArrayRef<Wish> wishes, const Wish &env, const PythonEnvironment &environment,
             Target &target)
      : wishes(wishes), env(env), environment(environment), target(target),
        libraries(placedLibraries(environment)) {}
  llvm::Error resolve();

private:
  std::vector<Candidate> candidates();
  llvm::Expected<Candidate> choose();
  bool satisfies(const Candidate &candidate);
  llvm::Error checkTorch();
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
    version->local.push_back("cu" + std::to_string(line->major) + std::to_string(line->minor));
  return version;
}

} // namespace

bool hasCuda(const PythonEnvironment &environment) {
  return lineOfTorch(environment).known() || !placedLibraries(environment).empty();
}

/// One per major, best evidence only: the runtime that is installed, else what torch was built for,
/// else the lowest line of any part.
std::vector<Candidate> Resolution::candidates() {
  std::vector<Candidate> found;
  auto of = [&](unsigned major) {
    return llvm::find_if(found, [&](const Candidate &each) { return each.line.major == major; });
  };
  CudaVersion torch = lineOfTorch(environment);
  for (const PlacedLibrary &each : libraries)
    if (each.isRuntime() && each.line.known() && of(each.line.major) == found.end() &&
        (!torch.known() || torch.major == each.line.major))
      found.push_back({each.line, &each, each.library->path});
  if (found.empty() && torch.known())
    found.push_back({torch, nullptr, environment.torch->path + "/version.py"});
  if (!found.empty())
    return found;
  for (const PlacedLibrary &each : libraries) {
    if (!each.line.known())
      continue;
    auto same = of(each.line.major);
    if (same == found.end())
      found.push_back({each.line, nullptr, each.library->path});
    else if (each.line < same->line)
      *same = {each.line, nullptr, each.library->path};
  }
  return found;
}

bool Resolution::satisfies(const Candidate &candidate) {
  auto within = [&](const Wish &wish, llvm::ArrayRef<uint64_t> numbers) {
    Version version;
    version.release.assign(numbers.begin(), numbers.end());
    return wish.specifiers.contains(version);
  };
  return llvm::all_of(wishes, [&](const Wish &wish) {
    if (wish.form != Form::Cuda)
      return true;
    if (!namesRelease(wish))
      return within(wish, {candidate.line.major, candidate.line.minor});
    // A component serves several releases; one of them has to be meant.
    return candidate.runtime &&
           llvm::any_of(facts::releasesOf(candidate.runtime->dist, candidate.runtime->version),
                        [&](const facts::ToolkitRelease &release) {
                          return within(wish, {release.major, release.minor, release.patch});
                        });
  });
}

llvm::Expected<Candidate> Resolution::choose() {
  std::vector<Candidate> found = candidates();
  CudaVersion torch = lineOfTorch(environment);
  for (const PlacedLibrary &each : libraries) {
    bool counts = !torch.known() || !each.major || each.major == torch.major;
    if (each.isRuntime() && !each.line.known() && counts)
      return unknownRuntime(env, environment, *each.library);
  }
  if (found.empty())
    return noCuda(env, environment);
  std::vector<Candidate> good;
  llvm::copy_if(found, std::back_inserter(good),
                [&](const Candidate &each) { return satisfies(each); });
  if (good.size() == 1)
    return good.front();
  std::vector<Fact> has;
  for (const Candidate &each : good.empty() ? found : good)
    has.push_back({"has", "CUDA " + each.line.str() + ": " + each.evidence});
  return good.empty() ? notInstalled(wishes, "CUDA " + found.front().line.str(), std::move(has))
                      : severalMajors(env, std::move(has));
}

llvm::Error Resolution::checkTorch() {
  std::optional<Version> has;
  if (environment.torch)
    has = versionOf(*environment.torch);
  for (const Wish &wish : wishes) {
    if (wish.form != Form::Torch || (has && wish.specifiers.contains(*has, /*pre=*/true)))
      continue;
    std::string what = !environment.torch ? "no torch" : "torch " + environment.torch->version;
    Fact where{"has", environment.torch ? what + " at " + environment.torch->path
                                        : what + " in " + environment.prefix};
    return notInstalled(wishes, what, {where});
  }
  if (has)
    target.torch = has->str();
  return llvm::Error::success();
}

void Resolution::addRow(const PlacedLibrary &placed) {
  const InstalledLibrary &library = *placed.library;
  TargetLibrary &row = target.libraries.emplace_back();
  row.soname = library.soname;
  row.dist = placed.dist.str();
  row.version = placed.version;
  row.cuda = placed.line;
  row.folder = library.folder;
  row.path = library.path;
  row.origin = ("installed in " + nameOf(environment)).str();
  if (library.bundled)
    row.origin = ("bundled with torch in " + nameOf(environment)).str();
  else if (library.dist.empty())
    row.origin = ("lies in " + nameOf(environment) + ", claimed by nothing").str();
  else if (library.dist != placed.dist)
    row.origin += ": " + library.metadata;
}

/// The directory that Python searches first has the copy that counts.
void Resolution::addRows() {
  for (const PlacedLibrary &each : libraries) {
    if (each.major && each.major != target.line.major)
      continue;
    if (!target.find(each.library->soname))
      addRow(each);
  }
  llvm::sort(target.libraries,
             [](const TargetLibrary &a, const TargetLibrary &b) { return a.soname < b.soname; });
}

llvm::Error Resolution::resolve() {
  if (llvm::Error error = checkTorch())
    return error;
  auto chosen = choose();
  if (!chosen)
    return chosen.takeError();
  target.line = chosen->line;
  if (chosen->runtime)
    if (auto releases = facts::releasesOf(chosen->runtime->dist, chosen->runtime->version);
        releases.size() == 1)
      target.release = releases.front().str();
  target.driverFloor = facts::driverFloor(target.line.major).str();
  target.sitePackages = environment.sitePackages;
  target.problems = environment.problems;
  addRows();
  llvm::append_range(target.problems, judgeEnvironment(environment, libraries, target));
  return llvm::Error::success();
}

llvm::Error resolveEnvironment(llvm::ArrayRef<Wish> wishes, const Wish &env,
                               const PythonEnvironment &environment, Target &target) {
  return Resolution(wishes, env, environment, target).resolve();
}

} // namespace cudacc::policy
