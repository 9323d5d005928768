// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/Overrides.h"
#include "driver/policy/advice/RuntimeFixes.h"
#include "driver/policy/advice/Words.h"
#include "driver/policy/rules/Judge.h"
#include "driver/tables/lookup/Coupling.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;

/// The CUDA line that the runtime has of a library: that of its row, else the target's.
static CudaVersion reach(const Target &target, llvm::StringRef soname) {
  const TargetLibrary *row = target.find(soname);
  return row && row->cuda.known() ? row->cuda : target.line;
}

static Finding unknownLibrary(const LinkedLibrary &library) {
  Finding finding =
      makeFinding(library.conflict.empty() ? Code::ToolkitVersionUnknown : Code::EvidenceConflict,
                  library.conflict.empty()
                      ? fmt::format("the CUDA version of {} cannot be determined", library.soname)
                      : "two sources disagree about " + library.soname);
  finding.library = library.soname;
  finding.addFact("library", fmt::format("{} ({})", library.path, library.spelled));
  if (!library.conflict.empty())
    finding.addFact("conflict", library.conflict);
  else
    finding.addFact("searched", "the wheel that owns it, cuda.h in its toolkit, its name");
  return finding;
}

static tables::LibraryOrigin originOf(const LinkedLibrary &library) {
  auto known = tables::libraryByFileName(library.soname);
  return known ? known->origin : tables::LibraryOrigin::Other;
}

/// Libraries of the driver are not part of the runtime and are not judged.
static bool judged(const LinkedLibrary &library) {
  return !library.path.empty() && originOf(library) != tables::LibraryOrigin::Driver;
}

/// Reports libraries that \p library NEEDs and the environment lacks. Wheels do not always require
/// every wheel that their libraries NEED (cutensornet and cuSOLVER), and the linker's undefined
/// references do not say which wheel is missing.
static void judgeOwnNeeds(const Target &target, const LinkedLibrary &library,
                          std::vector<std::string> &seen, std::vector<Finding> &findings) {
  // Only for an environment it is known which libraries are absent.
  if (target.sitePackages.empty() || library.isStub)
    return;
  for (const std::string &soname : library.needed) {
    const TargetLibrary *row = target.find(soname);
    if (!tables::runtimeLibrary(soname) || (row && !row->path.empty()) ||
        llvm::is_contained(seen, soname))
      continue;
    seen.push_back(soname);
    Finding &finding =
        findings.emplace_back(makeFinding(Code::NotFound, "the environment has no " + soname));
    finding.library = soname;
    finding.addFact("needed by", fmt::format("{} at {}", library.soname, library.path));
    finding.addFact("runtime", target.describe());
    if (llvm::StringRef dist = tables::distOf(soname, target.line.major); !dist.empty())
      finding.addFix(installing(target, dist));
  }
}

/// Whether \p library and the \p soname that it NEEDs are incompatible in the environment.
static bool isAtOdds(const Target &target, const LinkedLibrary &library, llvm::StringRef soname) {
  const TargetLibrary *row = target.find(library.soname), *provider = target.find(soname);
  if (!row || !provider)
    return false;
  return llvm::any_of(
      tables::couplingsOf(row->soname, row->dist, row->version), [&](const auto &coupling) {
        tables::CouplingFit fit = tables::fits(coupling, provider->version);
        return coupling.soname == soname &&
               (fit == tables::CouplingFit::TooOld || fit == tables::CouplingFit::TooNew);
      });
}

/// Reports libraries of the environment that are too old for the linked \p library, since the
/// linker will only print undefined references.
static void tellFloors(const Target &target, const LinkedLibrary &library,
                       std::vector<Finding> &findings) {
  for (const Finding &problem : target.problems)
    if (problem.code == Code::Floor && llvm::is_contained(library.needed, problem.library) &&
        isAtOdds(target, library, problem.library))
      findings.push_back(problem);
}

std::optional<Finding> judgeRelease(const Target &target, llvm::StringRef soname, CudaVersion cuda,
                                    Fact where, LookAround lookAround, Accepts accepts) {
  CudaVersion has = reach(target, soname);
  if (!cuda.known() || !exceeds(cuda, has))
    return std::nullopt;
  bool major = cuda.major != has.major;
  // The imports from it are judged symbol by symbol.
  if (!major && target.enforce == Enforce::Symbols)
    return std::nullopt;
  Finding finding = makeFinding(major ? Code::LibraryMajor : Code::LibraryNewer,
                                fmt::format("{} of CUDA {}, runtime has {}", soname, cuda, has));
  finding.library = soname.str();
  finding.facts = {std::move(where), runtimeFact(target, soname)};
  finding.fixes = fixesFor(target, cuda, lookAround, accepts);
  return finding;
}

/// All findings, before the mode is applied.
static std::vector<Finding> judgeEach(const Target &target, llvm::ArrayRef<LinkedLibrary> libraries,
                                      LookAround lookAround, Accepts accepts) {
  std::vector<Finding> findings;
  std::vector<std::string> seen;
  for (const LinkedLibrary &library : libraries) {
    if (!judged(library) || llvm::is_contained(seen, library.path))
      continue;
    seen.push_back(library.path);
    judgeOwnNeeds(target, library, seen, findings);
    tellFloors(target, library, findings);
    // Libraries outside the toolkit (cuDNN, NCCL) have no CUDA release to compare.
    if (!library.cuda.known()) {
      if (originOf(library) == tables::LibraryOrigin::Toolkit || !library.conflict.empty())
        findings.push_back(unknownLibrary(library));
      continue;
    }
    std::string version = library.version.empty() ? "" : library.version + " ";
    Fact where{"library", fmt::format("{}at {} ({}; {})", version, library.path, library.spelled,
                                      library.evidence)};
    if (auto finding = judgeRelease(target, library.soname, library.cuda, std::move(where),
                                    lookAround, accepts))
      findings.push_back(std::move(*finding));
  }
  return findings;
}

std::vector<Finding> judgeLibraries(const Target &target, llvm::ArrayRef<LinkedLibrary> libraries,
                                    LookAround lookAround) {
  return judgeDeclared(target, lookAround,
                       [&](const Target &under, LookAround around, Accepts accepts) {
                         return judgeEach(under, libraries, around, accepts);
                       });
}

std::vector<Finding> judgeSearchPath(const Target &target, llvm::ArrayRef<std::string> elements) {
  std::vector<Finding> findings;
  if (!target.declared || target.enforce == Enforce::Off)
    return findings;
  for (const std::string &element : elements) {
    if (element != "/.." && !llvm::StringRef(element).starts_with("/../"))
      continue;
    Finding &finding = findings.emplace_back(
        makeFinding(Code::LostOrigin, "a search path element lost its $ORIGIN"));
    finding.addFact("element", element);
    finding.addFact("because", "nvcc runs its commands through a shell, which expands "
                               "$ORIGIN in -Xcompiler and in forwarded -Wl, to nothing");
    finding.addFix(fmt::format("write it as -Xlinker '-rpath,$ORIGIN{}'", element));
  }
  return findings;
}

} // namespace cudacc::policy
