#include "driver/resolve/EnvironmentErrors.h"
#include "driver/core/Diagnostic.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::resolve {

using namespace core;

static Finding declaredFinding(Code code, std::string message, llvm::ArrayRef<Wish> wishes) {
  Finding result;
  result.code = code;
  result.message = std::move(message);
  result.origin = wishes.front().setting->origin.str();
  for (const Wish &wish : wishes)
    result.facts.push_back({"declared", wish.describe()});
  return result;
}

llvm::Error noCuda(const Wish &env, const PythonEnvironment &environment) {
  Finding result = declaredFinding(Code::UnknownRelease, "no CUDA runtime is installed there", env);
  result.facts.push_back({"searched", llvm::join(environment.sitePackages, ", ")});
  if (environment.torch)
    result.facts.push_back(
        {"found", fmt::format("torch {}, built without CUDA", environment.torch->version)});
  result.fixes = {"install the runtime, as torch's CUDA wheels do",
                  "declare what it will be: cuda==12.4, torch==2.5.1"};
  return fail(std::move(result));
}

llvm::Error unknownRuntime(const Wish &env, const PythonEnvironment &environment,
                           const InstalledLibrary &library) {
  Finding result = declaredFinding(
      Code::EvidenceConflict, fmt::format("which {} is installed is unknown", library.soname), env);
  result.library = library.soname;
  result.facts.push_back({"library", library.path});
  for (const Finding &problem : environment.problems)
    if (problem.library == library.soname) {
      result.facts.push_back({"because", problem.message});
      for (const Fact &fact : problem.facts)
        if (fact.label == "claimed by")
          result.facts.push_back(fact);
      result.fixes.insert(result.fixes.end(), problem.fixes.begin(), problem.fixes.end());
    }
  if (result.fixes.empty())
    result.fixes.push_back("declare it: cuda==12.4, torch==2.5.1");
  return fail(std::move(result));
}

llvm::Error severalMajors(const Wish &env, std::vector<Fact> has) {
  Finding result =
      declaredFinding(Code::EvidenceConflict, "the environment has several CUDA majors", env);
  result.facts.insert(result.facts.end(), has.begin(), has.end());
  result.fixes = {
      "uninstall the wheels of the other major",
      fmt::format("say which one is meant: {} together with cuda==12.*", env.setting->value)};
  return fail(std::move(result));
}

static llvm::Error disagrees(llvm::ArrayRef<Wish> wishes, std::string message,
                             std::vector<Fact> has, std::string fix) {
  Finding result;
  result.code = Code::Constraint;
  result.message = std::move(message);
  result.origin = wishes.front().setting->origin.str();
  for (const Wish &wish : wishes)
    result.facts.push_back({"requires", wish.describe()});
  result.facts.insert(result.facts.end(), has.begin(), has.end());
  result.fixes = {std::move(fix), "leave one of them out"};
  return fail(std::move(result));
}

llvm::Error notInstalled(llvm::ArrayRef<Wish> wishes, std::string installed,
                         std::vector<Fact> has) {
  return disagrees(wishes, fmt::format("the environment has {}, not what is declared", installed),
                   std::move(has), "install what is declared");
}

llvm::Error notLocked(llvm::ArrayRef<Wish> wishes, std::string locked, std::vector<Fact> has) {
  return disagrees(wishes, fmt::format("the lock has {}, not what is declared", locked),
                   std::move(has), "lock what is declared");
}

llvm::Error noLockedCuda(const Wish &place, const LockReading &lock, std::string torch,
                         bool withoutCuda) {
  Finding result = declaredFinding(Code::UnknownRelease, "the lock pins no CUDA runtime", place);
  result.facts.push_back(
      {"searched", fmt::format("{} packages of {}", lock.packages.size(), lock.shown)});
  if (!torch.empty())
    result.facts.push_back(
        {"found",
         torch + (withoutCuda ? fmt::format(", whose wheel for {} has no CUDA", lock.machine)
                              : ", whose CUDA is not known")});
  for (const Finding &problem : lock.problems)
    result.facts.push_back({"because", fmt::format("{} in {}", problem.message, problem.origin)});
  result.fixes = {"lock the runtime, as torch's CUDA wheels do",
                  "declare what it will be: cuda==12.4, torch==2.5.1"};
  return fail(std::move(result));
}

llvm::Error onlyMachines(llvm::ArrayRef<Wish> wishes) {
  Finding result = declaredFinding(Code::BadRequirement,
                                   "GPUs and a driver are declared, but no runtime", wishes);
  result.fixes = {"declare the runtime too: cuda==12.4, torch==2.5.1 or env:PATH"};
  return fail(std::move(result));
}

llvm::Error severalEnvironments(llvm::ArrayRef<Wish> wishes) {
  Finding result =
      declaredFinding(Code::BadRequirement, "several environments or locks are declared", wishes);
  result.fixes = {"declare one of them"};
  return fail(std::move(result));
}

} // namespace cudacc::resolve
