#include "driver/policy/advice/Overrides.h"
#include "driver/policy/advice/Words.h"
#include "driver/policy/coherence/Guard.h"
#include "driver/policy/coherence/GuardToolkit.h"
#include "driver/policy/rules/Judge.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;

static std::string describe(const FoundHeader &header) {
  return fmt::format("{} {} at {} ({})", header.name, header.cuda, header.path, header.foundBy);
}

static void judgeKnown(const Toolkit &toolkit, std::vector<Finding> &findings) {
  for (const std::string &conflict : toolkit.conflicts) {
    Finding finding;
    finding.code = Code::EvidenceConflict;
    finding.message = "two sources disagree about the CUDA toolkit";
    finding.facts.push_back({"conflict", conflict});
    finding.facts.push_back({"toolkit", fmt::format("{} ({})", toolkit.nvcc, toolkit.foundBy)});
    findings.push_back(std::move(finding));
  }
  if (toolkit.version().known())
    return;
  Finding finding;
  finding.code = Code::ToolkitVersionUnknown;
  finding.message = "the version of the CUDA toolkit cannot be determined";
  finding.facts.push_back({"toolkit", fmt::format("{} ({})", toolkit.nvcc, toolkit.foundBy)});
  finding.facts.push_back({"searched", "the text of nvcc, cuda.h, the wheels' metadata"});
  findings.push_back(std::move(finding));
}

/// TG-3; under `symbols` a newer minor compiles, and the link proves what came of it (TG-5).
static void judgeToolkit(const Target &target, const Toolkit &toolkit, LookAround lookAround,
                         Accepts accepts, std::vector<Finding> &findings) {
  CudaVersion version = toolkit.version();
  if (!version.known() || !exceeds(version, target.line))
    return;
  bool major = version.major != target.line.major;
  if (!major && target.enforce == Enforce::Symbols)
    return;
  Finding finding;
  finding.code = major ? Code::TargetMajor : Code::TargetNewer;
  finding.message =
      fmt::format("toolkit CUDA {} {} CUDA {}", version,
                  major ? "is of another major than" : "is newer than runtime", target.line);
  const Component *nvcc = toolkit.find("nvcc");
  finding.facts.push_back(
      {"toolkit", fmt::format("nvcc {} at {} ({})", nvcc->version, toolkit.nvcc, toolkit.foundBy)});
  finding.facts.push_back(runtimeFact(target, "libcudart"));
  finding.fixes = waysOut(target, version, lookAround, accepts);
  findings.push_back(std::move(finding));
}

static void judgeHeader(const Target &target, const FoundHeader &header, bool refused,
                        LookAround lookAround, Accepts accepts, std::vector<Finding> &findings) {
  Finding finding;
  if (!header.problem.empty() || !header.cuda.known()) {
    finding.code = Code::ToolkitVersionUnknown;
    finding.message = fmt::format("the version of {} cannot be determined", header.name);
    finding.facts.push_back({"header", fmt::format("{} ({})", header.path, header.foundBy)});
    finding.facts.push_back(
        {"because", header.problem.empty() ? "no version in it" : header.problem});
    findings.push_back(std::move(finding));
    return;
  }
  if (!exceeds(header.cuda, target.line))
    return;
  bool major = header.cuda.major != target.line.major;
  if (!major && target.enforce == Enforce::Symbols)
    return;
  finding.code = major ? Code::HeadersMajor : Code::HeadersNewer;
  finding.message =
      fmt::format("CUDA {} headers{} CUDA {}", header.cuda,
                  major ? ", of another major than" : " are newer than runtime", target.line);
  finding.facts.push_back({"headers", describe(header)});
  finding.facts.push_back(runtimeFact(target, "libcudart"));
  if (refused)
    finding.facts.push_back({"consequence", "of headers that do not belong to nvcc"});
  finding.fixes = waysOut(target, header.cuda, lookAround, accepts);
  findings.push_back(std::move(finding));
}

/// Before the mode.
static std::vector<Finding> judgeAll(const Target &target, const Toolkit *toolkit,
                                     llvm::ArrayRef<FoundHeader> headers, LookAround lookAround,
                                     Accepts accepts) {
  std::vector<Finding> findings;
  if (toolkit) {
    judgeKnown(*toolkit, findings);
    llvm::append_range(findings, judgeCoherence(*toolkit, headers));
    judgeToolkit(target, *toolkit, lookAround, accepts, findings);
  }
  CudaVersion judged = toolkit ? toolkit->version() : CudaVersion{};
  for (const FoundHeader &header : headers) {
    // One release, one finding: cuda.h and cuda_runtime_api.h of the toolkit say what nvcc says.
    if (header.cuda.known() && header.cuda == judged)
      continue;
    judgeHeader(target, header, toolkit && toolkit->version().known(), lookAround, accepts,
                findings);
    if (header.problem.empty())
      judged = header.cuda;
  }
  if (auto driver = judgeDriverFloor(target); driver && (toolkit || !headers.empty()))
    findings.push_back(std::move(*driver));
  return findings;
}

std::vector<Finding> judgeCompile(const Target &target, const Toolkit *toolkit,
                                  llvm::ArrayRef<FoundHeader> headers, LookAround lookAround) {
  if (!target.declared || target.enforce == Enforce::Off)
    return {};
  auto accepts = [&](llvm::StringRef requirement) {
    auto other = insteadOf(target, requirement);
    auto noToolkits = [] { return std::vector<FoundToolkit>(); };
    auto never = [](llvm::StringRef) { return false; };
    return other && areAccepted(judgeAll(*other, toolkit, headers, noToolkits, never));
  };
  return applyMode(target.enforce, judgeAll(target, toolkit, headers, lookAround, accepts));
}

} // namespace cudacc::policy
