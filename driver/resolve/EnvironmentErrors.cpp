// SPDX-License-Identifier: Apache-2.0
#include "driver/resolve/EnvironmentErrors.h"
#include "driver/core/Diagnostic.h"
#include "driver/resolve/ResolveErrors.h"
#include "driver/support/ShellWord.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::resolve {

using namespace core;

/// Whether the version of the package that contains a library tells the CUDA line.
static bool tellsLine(llvm::StringRef soname) {
  return llvm::any_of(tables::toolkitLines(), [&](versions::CudaVersion line) {
    auto release = tables::newestRelease(line);
    llvm::StringRef dist = tables::distOf(soname, line.major);
    return release && !dist.empty() && !tables::componentVersion(*release, dist).empty();
  });
}

/// Adds what is wrong with libraries that would have told the CUDA line, and their fixes.
static void addMissing(const PythonEnvironment &environment, Finding &finding) {
  for (const Finding &problem : environment.problems) {
    bool isNew = llvm::any_of(problem.fixes, [&](const std::string &fix) {
      return !llvm::is_contained(finding.fixes, fix);
    });
    if (!isNew || !tellsLine(problem.library))
      continue;
    finding.addFact("because", problem.message);
    for (const std::string &fix : problem.fixes)
      finding.addFix(fix);
  }
}

/// The command that installs a CUDA runtime: PyPI's torch in place of one without CUDA, else the
/// runtime's wheel for the major that others are for.
static std::string installingRuntime(const PythonEnvironment &environment) {
  if (environment.torch)
    if (auto torch = versions::Version::parse(environment.torch->version);
        torch && !torch->local.empty() && torch->local.front() == "cpu") {
      torch->local.clear();
      return fmt::format("pip install --force-reinstall torch=={}", *torch);
    }
  unsigned newest = tables::toolkitLines().back().major;
  bool isOlder = llvm::any_of(environment.distributions, [](const InstalledDistribution &each) {
    return llvm::StringRef(each.name).ends_with("-cu12");
  });
  unsigned major = isOlder ? 12 : newest;
  return fmt::format("pip install {}",
                     tables::distOf(fmt::format("libcudart.so.{}", major), major));
}

llvm::Error noCuda(const DeclaredRequirement &env, const PythonEnvironment &environment) {
  Finding result = findingAbout(Code::UnknownRelease, "no CUDA runtime is installed there", env);
  result.addFact("searched", llvm::join(environment.sitePackages, ", "));
  if (environment.torch)
    result.addFact("found",
                   fmt::format("torch {}, built without CUDA", environment.torch->version));
  addMissing(environment, result);
  if (result.fixes.empty())
    result.addFix(installingRuntime(environment));
  result.addFix("declare what it will be: cuda==12.4, torch==2.5.1");
  return makeError(std::move(result));
}

llvm::Error unknownRuntime(const DeclaredRequirement &env, const PythonEnvironment &environment,
                           const InstalledLibrary &library) {
  Finding result = findingAbout(
      Code::EvidenceConflict, fmt::format("which {} is installed is unknown", library.soname), env);
  result.library = library.soname;
  result.addFact("library", library.path);
  auto isAbout = [&](const Finding &problem) {
    return problem.library == library.soname || llvm::any_of(problem.facts, [&](const Fact &fact) {
             return fact.label == "library" && fact.text == library.path;
           });
  };
  for (const Finding &problem : environment.problems)
    if (isAbout(problem)) {
      result.addFact("because", problem.message);
      for (const Fact &fact : problem.facts)
        if (fact.label == "claimed by")
          result.facts.push_back(fact);
      result.fixes.insert(result.fixes.end(), problem.fixes.begin(), problem.fixes.end());
    }
  if (result.fixes.empty())
    result.addFix("declare it: cuda==12.4, torch==2.5.1");
  return makeError(std::move(result));
}

static bool isLock(const DeclaredRequirement &requirement) {
  return requirement.kind == RequirementKind::Lock;
}

/// The command that leaves \p kept of the lines. Empty if it is not known what brought the others.
static std::string keeping(const PlaceLine &kept, llvm::ArrayRef<PlaceLine> lines) {
  std::string dists;
  for (const PlaceLine &line : lines)
    if (line.line != kept.line)
      for (const std::string &dist : line.dists)
        dists += " " + dist;
  return dists.empty() ? "" : fmt::format("to keep CUDA {}: pip uninstall -y{}", kept.line, dists);
}

llvm::Error severalMajors(const DeclaredRequirement &place, std::vector<Fact> has,
                          llvm::ArrayRef<PlaceLine> lines) {
  Finding result = findingAbout(
      Code::EvidenceConflict,
      fmt::format("the {} has several CUDA majors", isLock(place) ? "lock" : "environment"), place);
  result.facts.insert(result.facts.end(), has.begin(), has.end());
  if (isLock(place))
    result.addFix("lock the wheels of one major");
  else
    for (const PlaceLine &line : lines)
      if (std::string command = keeping(line, lines); !command.empty())
        result.addFix(std::move(command));
  result.addFix(fmt::format("name the right one: {} together with cuda=={}.*", place.setting->value,
                            lines.front().line.major));
  return makeError(std::move(result));
}

llvm::Error differs(llvm::ArrayRef<DeclaredRequirement> requirements, llvm::StringRef found,
                    std::vector<Fact> has) {
  bool ofLock = llvm::any_of(requirements, isLock);
  Finding result = findingAbout(
      Code::Constraint,
      fmt::format("the {} has {}, not what is declared", ofLock ? "lock" : "environment", found),
      requirements, "requires");
  result.facts.insert(result.facts.end(), has.begin(), has.end());
  for (const DeclaredRequirement &each : requirements)
    if (!ofLock && (each.kind == RequirementKind::Torch || each.kind == RequirementKind::Framework))
      result.addFix("pip install " + support::shellWord(each.setting->value));
  if (result.fixes.empty())
    result.addFix(ofLock ? "lock what is declared" : "install what is declared");
  result.addFix("leave one of them out");
  return makeError(std::move(result));
}

llvm::Error noLockedCuda(const DeclaredRequirement &place, const LockReading &lock,
                         std::string torch, bool withoutCuda) {
  Finding result = findingAbout(Code::UnknownRelease, "the lock pins no CUDA runtime", place);
  result.addFact("searched", fmt::format("{} packages of {}", lock.packages.size(), lock.shown));
  if (!torch.empty())
    result.addFact("found", torch + (withoutCuda ? fmt::format(", whose wheel for {} has no CUDA",
                                                               lock.machine)
                                                 : ", whose CUDA is not known"));
  for (const Finding &problem : lock.problems)
    result.addFact("because", fmt::format("{} in {}", problem.message, problem.origin));
  result.fixes = {"lock the runtime, as torch's CUDA wheels do",
                  "declare what it will be: cuda==12.4, torch==2.5.1"};
  if (!torch.empty() && !withoutCuda)
    addUpdate(place.more, result);
  return makeError(std::move(result));
}

llvm::Error onlyMachines(llvm::ArrayRef<DeclaredRequirement> requirements) {
  Finding result = findingAbout(Code::BadRequirement,
                                "GPUs and a driver are declared, but no runtime", requirements);
  result.fixes = {"declare the runtime too: cuda==12.4, torch==2.5.1 or env:PATH"};
  return makeError(std::move(result));
}

llvm::Error severalEnvironments(llvm::ArrayRef<DeclaredRequirement> requirements) {
  Finding result = findingAbout(Code::BadRequirement, "several environments or locks are declared",
                                requirements);
  result.fixes = {"declare one of them"};
  return makeError(std::move(result));
}

} // namespace cudacc::resolve
