// SPDX-License-Identifier: Apache-2.0
#include "driver/resolve/EnvironmentErrors.h"
#include "driver/core/Diagnostic.h"
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

llvm::Error noCuda(const DeclaredRequirement &env, const PythonEnvironment &environment) {
  Finding result = findingAbout(Code::UnknownRelease, "no CUDA runtime is installed there", env);
  result.addFact("searched", llvm::join(environment.sitePackages, ", "));
  if (environment.torch)
    result.addFact("found",
                   fmt::format("torch {}, built without CUDA", environment.torch->version));
  addMissing(environment, result);
  if (result.fixes.empty())
    result.addFix("install the runtime, as torch's CUDA wheels do");
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

llvm::Error severalMajors(const DeclaredRequirement &place, std::vector<Fact> has) {
  Finding result = findingAbout(
      Code::EvidenceConflict,
      fmt::format("the {} has several CUDA majors", isLock(place) ? "lock" : "environment"), place);
  result.facts.insert(result.facts.end(), has.begin(), has.end());
  result.fixes = {
      isLock(place) ? "lock the wheels of one major" : "uninstall the wheels of the other major",
      fmt::format("name the right one: {} together with cuda==12.*", place.setting->value)};
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
  result.fixes = {ofLock ? "lock what is declared" : "install what is declared",
                  "leave one of them out"};
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
