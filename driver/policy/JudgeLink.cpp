#include "driver/facts/Libraries.h"
#include "driver/policy/Judge.h"
#include "driver/policy/Words.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

namespace cudacc::policy {

using namespace core;

/// What the runtime has of a library: its row, else the line.
static CudaVersion reach(const Target &target, llvm::StringRef soname) {
  const TargetLibrary *row = target.find(soname);
  return row && row->cuda.known() ? row->cuda : target.line;
}

static Finding unknownLibrary(const LinkedLibrary &library) {
  Finding finding;
  finding.code = library.conflict.empty() ? Code::ToolkitVersionUnknown : Code::EvidenceConflict;
  finding.message = library.conflict.empty()
                        ? "the CUDA version of " + library.soname + " cannot be learnt"
                        : "two sources disagree about " + library.soname;
  finding.library = library.soname;
  finding.facts.push_back({"library", library.path + " (" + library.spelled + ")"});
  if (!library.conflict.empty())
    finding.facts.push_back({"conflict", library.conflict});
  else
    finding.facts.push_back(
        {"searched", "the wheel that owns it, cuda.h in its toolkit, its name"});
  return finding;
}

static facts::LibraryOrigin originOf(const LinkedLibrary &library) {
  auto known = facts::libraryByFileName(library.soname);
  return known ? known->origin : facts::LibraryOrigin::Other;
}

/// The driver's libraries are not the runtime's.
static bool judged(const LinkedLibrary &library) {
  return !library.path.empty() && originOf(library) != facts::LibraryOrigin::Driver;
}

std::vector<Finding> judgeLibraries(const Target &target, llvm::ArrayRef<LinkedLibrary> libraries,
                                    LookAround lookAround) {
  std::vector<Finding> findings;
  if (!target.declared || target.enforce == Enforce::Off)
    return findings;
  std::vector<std::string> seen;
  for (const LinkedLibrary &library : libraries) {
    if (!judged(library) || llvm::is_contained(seen, library.path))
      continue;
    seen.push_back(library.path);
    // Parts that no toolkit numbers (cuDNN, NCCL) have no CUDA release to compare.
    if (!library.cuda.known()) {
      if (originOf(library) == facts::LibraryOrigin::Toolkit || !library.conflict.empty())
        findings.push_back(unknownLibrary(library));
      continue;
    }
    CudaVersion has = reach(target, library.soname);
    if (!exceeds(library.cuda, has))
      continue;
    bool major = library.cuda.major != has.major;
    Finding finding;
    finding.code = major ? Code::LibraryMajor : Code::LibraryNewer;
    finding.library = library.soname;
    finding.message =
        library.soname + " of CUDA " + library.cuda.str() + ", runtime has " + has.str();
    std::string version = library.version.empty() ? "" : library.version + " ";
    finding.facts.push_back({"library", version + "at " + library.path + " (" + library.spelled +
                                            "; " + library.evidence + ")"});
    finding.facts.push_back(runtimeFact(target, library.soname));
    finding.fixes = waysOut(target, library.cuda, lookAround);
    findings.push_back(std::move(finding));
  }
  return applyMode(target.enforce, std::move(findings));
}

std::vector<Finding> judgeSearchPath(const Target &target, llvm::ArrayRef<std::string> elements) {
  std::vector<Finding> findings;
  if (!target.declared || target.enforce == Enforce::Off)
    return findings;
  for (const std::string &element : elements) {
    if (element != "/.." && !llvm::StringRef(element).starts_with("/../"))
      continue;
    Finding finding;
    finding.code = Code::LostOrigin;
    finding.severity = Severity::Warning;
    finding.message = "a search path element lost its $ORIGIN";
    finding.facts.push_back({"element", element});
    finding.facts.push_back({"because", "nvcc runs its commands through a shell, which expands "
                                        "$ORIGIN in -Xcompiler and in forwarded -Wl, to nothing"});
    finding.fixes.push_back("write it as -Xlinker '-rpath,$ORIGIN" + element + "'");
    findings.push_back(std::move(finding));
  }
  return findings;
}

/// The release that an nvJitLink entry point names: `__nvJitLinkCreate_12_5` is 12.5 (SY-3).
static CudaVersion suffixOf(llvm::StringRef symbol) {
  if (!symbol.consume_front("__nvJitLink"))
    return {};
  auto [front, minor] = symbol.rsplit('_');
  auto [name, major] = front.rsplit('_');
  CudaVersion version;
  if (major.getAsInteger(10, version.major) || minor.getAsInteger(10, version.minor))
    return {};
  return version;
}

static void judgeNvJitLink(const Target &target, const BinaryFacts &artefact, LookAround lookAround,
                           std::vector<Finding> &findings) {
  std::string soname = "libnvJitLink.so." + std::to_string(target.line.major);
  CudaVersion has = reach(target, soname);
  CudaVersion newest;
  std::vector<std::string> symbols;
  for (const Import &import : artefact.imports) {
    CudaVersion named = suffixOf(import.symbol);
    if (import.weak || !named.known() || !exceeds(named, has))
      continue;
    newest = std::max(newest, named);
    symbols.push_back(import.symbol);
  }
  if (symbols.empty())
    return;
  llvm::sort(symbols);
  const TargetLibrary *row = target.find(soname);
  Finding finding;
  finding.code = Code::NvJitLinkNewer;
  finding.library = soname;
  finding.symbol = symbols.front();
  finding.message = "the runtime's nvJitLink lacks " + symbols.front();
  if (symbols.size() > 1)
    finding.facts.push_back({"symbols", llvm::join(symbols, ", ")});
  finding.facts.push_back({"first in", "CUDA " + newest.str() +
                                           " (nvJitLink.h of that release "
                                           "binds its callers to these names)"});
  if (row)
    finding.facts.push_back({"has", row->dist + " " + row->version.str() + ", " + row->origin});
  finding.facts.push_back({"runtime", target.describe()});
  finding.fixes = waysOut(target, newest, lookAround);
  findings.push_back(std::move(finding));
}

static void judgeNeeded(const Target &target, const BinaryFacts &artefact,
                        std::vector<Finding> &findings) {
  for (const std::string &needed : artefact.needed) {
    auto majors = facts::majorsOf(needed);
    if (majors.empty() || llvm::is_contained(majors, target.line.major))
      continue;
    Finding finding;
    finding.code = Code::NotFound;
    finding.library = needed;
    finding.message = "the runtime has no " + needed;
    finding.facts.push_back(
        {"needed", needed + " belongs to CUDA " + std::to_string(majors.front())});
    finding.facts.push_back({"runtime", target.describe() + ", CUDA " + target.line.str()});
    finding.fixes.push_back("link the libraries of CUDA " + std::to_string(target.line.major));
    findings.push_back(std::move(finding));
  }
}

static void judgeRecords(const Target &target, const BinaryFacts &artefact, LookAround lookAround,
                         std::vector<Finding> &findings) {
  std::map<CudaVersion, uint64_t> newer;
  for (const auto &[record, count] : artefact.manifest.objects) {
    CudaVersion worst;
    for (const std::string &text : {record.toolkit, record.headers})
      if (auto version = CudaVersion::parse(text); version && exceeds(*version, target.line))
        worst = std::max(worst, *version);
    if (worst.known())
      newer[worst] += count;
  }
  for (const auto &[version, count] : newer) {
    Finding finding;
    finding.code = Code::RecordNewer;
    finding.message = std::to_string(count) + (count == 1 ? " object" : " objects") +
                      " compiled with CUDA " + version.str() + ", runtime CUDA " +
                      target.line.str();
    finding.facts.push_back({"record", "the objects' own, written when they were compiled"});
    finding.facts.push_back(runtimeFact(target, "libcudart"));
    finding.fixes = waysOut(target, version, lookAround);
    findings.push_back(std::move(finding));
  }
}

std::vector<Finding> judgeArtefact(const Target &target, const BinaryFacts &artefact,
                                   LookAround lookAround) {
  std::vector<Finding> findings;
  if (!target.declared || target.enforce == Enforce::Off)
    return findings;
  judgeNvJitLink(target, artefact, lookAround, findings);
  judgeNeeded(target, artefact, findings);
  judgeRecords(target, artefact, lookAround, findings);
  return applyMode(target.enforce, std::move(findings));
}

} // namespace cudacc::policy
