// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/JudgeDependencies.h"
#include "driver/policy/rules/BinaryCase.h"
#include "driver/support/ShellWord.h"
#include "driver/tables/lookup/Coupling.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Symbols.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using llvm::StringRef;

static void report(BinaryCase &judged, const TargetLibrary &library, const TargetLibrary &provider,
                   const tables::Coupling &coupling, tables::CouplingFit fit) {
  bool isOld = fit == tables::CouplingFit::TooOld;
  llvm::ArrayRef<StringRef> names = coupling.missingLater;
  if (isOld)
    names = coupling.deciding;
  StringRef symbol = names.empty() ? StringRef() : names.front();
  Code code = tables::nvJitLinkSuffix(symbol) ? Code::NvJitLinkNewer : Code::ImportMissing;
  std::string what = symbol.empty()
                         ? " needs another version of " + provider.soname
                         : fmt::format(" imports {}, which {} lacks", symbol, provider.soname);
  Finding &finding =
      judged.addAbout(code, library.soname + what, provider.soname, provider.origin, names);
  finding.addFact("needed by", fmt::format("{} {}", library.dist, library.version));
  finding.addFact("has",
                  fmt::format("{} {}, {}", provider.dist, provider.version, provider.origin));
  finding.addFact("runtime", judged.target.describe());
  std::string wanted = fmt::format("{}>={}", coupling.dist, coupling.minVersion);
  if (isOld)
    finding.addFix("pip install " + support::shellWord(wanted));
}

/// Libraries of the runtime that the file loads, directly or through the NEEDED of others as the
/// tables know them, and those that the framework loads first.
static std::vector<const TargetLibrary *> librariesFor(const BinaryCase &judged) {
  const Target &target = judged.target;
  std::vector<const TargetLibrary *> libraries;
  auto add = [&](StringRef soname) {
    const TargetLibrary *library = target.find(soname);
    if (library && !llvm::is_contained(libraries, library))
      libraries.push_back(library);
  };
  for (StringRef name : judged.file.needed)
    add(name);
  if (judged.inFramework && !target.torch.empty())
    for (const TargetLibrary &library : target.libraries)
      if (tables::isRequiredByTorch(library.dist))
        add(library.soname);
  for (size_t i = 0; i != libraries.size(); ++i)
    llvm::for_each(
        tables::neededBy(libraries[i]->soname, libraries[i]->dist, libraries[i]->version), add);
  return libraries;
}

void judgeCouplings(BinaryCase &judged) {
  if (!judged.isLinked())
    return;
  for (const TargetLibrary *library : librariesFor(judged))
    for (const tables::Coupling &coupling :
         tables::couplingsOf(library->soname, library->dist, library->version)) {
      const TargetLibrary *provider = judged.target.find(coupling.soname);
      bool isOfLoading = coupling.reach == tables::Reach::Needed && !coupling.sameWheel;
      if (!provider || !isOfLoading || provider->dist != coupling.dist ||
          provider->version.release.empty())
        continue;
      tables::CouplingFit fit = tables::fits(coupling, provider->version);
      if (fit == tables::CouplingFit::TooOld || fit == tables::CouplingFit::TooNew)
        report(judged, *library, *provider, coupling, fit);
    }
}

std::vector<Finding> inherited(llvm::ArrayRef<Finding> findings, StringRef dependency) {
  std::vector<Finding> out;
  for (const Finding &each : findings) {
    bool isOfBinding = each.code == Code::ImportMissing || each.code == Code::NvJitLinkNewer ||
                       each.code == Code::VersionNodes || each.code == Code::NoExportList ||
                       each.code == Code::TorchLacks || each.code == Code::TorchStrings;
    if (each.severity != Severity::Error || !isOfBinding)
      continue;
    Finding &own = out.emplace_back(each);
    own.facts.insert(own.facts.begin(), {"needed by", dependency.str()});
  }
  return out;
}

} // namespace cudacc::policy
