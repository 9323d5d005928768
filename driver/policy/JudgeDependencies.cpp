#include "driver/policy/JudgeDependencies.h"
#include "driver/facts/Coupling.h"
#include "driver/facts/NvJitLink.h"
#include "driver/facts/Torch.h"
#include "driver/policy/BinaryCase.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using llvm::StringRef;

static bool isLoaded(const LoadResult &load, StringRef soname) {
  return llvm::any_of(load.steps, [&](const LoadStep &step) { return step.name == soname; });
}

static bool isOfFramework(const TargetLibrary &library) {
  return llvm::any_of(facts::torchReleases(), [&](const facts::TorchRelease &release) {
    return llvm::any_of(facts::torchPins(facts::defaultTorchLine(release)),
                        [&](const facts::Pin &pin) { return pin.dist == library.dist; });
  });
}

static Finding coupledFinding(const Target &target, const TargetLibrary &library,
                              const TargetLibrary &provider, const facts::Coupling &coupling,
                              facts::CouplingFit fit) {
  bool isOld = fit == facts::CouplingFit::TooOld;
  llvm::ArrayRef<StringRef> names = coupling.missingLater;
  if (isOld)
    names = coupling.deciding;
  StringRef symbol = names.empty() ? StringRef() : names.front();
  Finding finding;
  finding.code = facts::nvJitLinkSuffix(symbol) ? Code::NvJitLinkNewer : Code::ImportMissing;
  finding.severity = severityOf(finding.code);
  finding.library = provider.soname;
  finding.symbol = symbol.str();
  finding.origin = provider.origin;
  finding.message =
      library.soname + (symbol.empty()
                            ? " needs another version of " + provider.soname
                            : " imports " + symbol.str() + ", which " + provider.soname + " lacks");
  if (names.size() > 1)
    finding.facts.push_back({"symbols", listOf(names)});
  finding.facts.push_back({"needed by", library.dist + " " + library.version.str()});
  finding.facts.push_back(
      {"has", provider.dist + " " + provider.version.str() + ", " + provider.origin});
  finding.facts.push_back({"runtime", target.describe()});
  std::string wanted = coupling.dist.str() + ">=" + coupling.minVersion.str();
  if (isOld && !coupling.minVersion.empty())
    finding.fixes.push_back("pin '" + wanted + "'");
  return finding;
}

std::vector<Finding> judgeCoupled(const Target &target, const LoadResult &load,
                                  bool afterFramework) {
  std::vector<Finding> findings;
  for (const TargetLibrary &library : target.libraries) {
    if (!isLoaded(load, library.soname) && !(afterFramework && isOfFramework(library)))
      continue;
    for (const facts::Coupling &coupling :
         facts::couplingsOf(library.soname, library.dist, library.version)) {
      const TargetLibrary *provider = target.find(coupling.soname);
      bool isLoader = coupling.reach == facts::Reach::Needed;
      if (!provider || !isLoader || coupling.sameWheel || provider->dist != coupling.dist ||
          provider->version.release.empty())
        continue;
      facts::CouplingFit fit = facts::fits(coupling, provider->version);
      if (fit == facts::CouplingFit::TooOld || fit == facts::CouplingFit::TooNew)
        findings.push_back(coupledFinding(target, library, *provider, coupling, fit));
    }
  }
  return findings;
}

std::vector<Finding> inherited(llvm::ArrayRef<Finding> findings, StringRef dependency) {
  std::vector<Finding> out;
  for (const Finding &each : findings) {
    bool isOfBinding = each.code == Code::ImportMissing || each.code == Code::NvJitLinkNewer ||
                       each.code == Code::VersionNodes || each.code == Code::NoExportList;
    if (each.severity != Severity::Error || !isOfBinding)
      continue;
    Finding &own = out.emplace_back(each);
    own.facts.insert(own.facts.begin(), {"needed by", dependency.str()});
  }
  return out;
}

} // namespace cudacc::policy
