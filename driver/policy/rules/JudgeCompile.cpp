// SPDX-License-Identifier: Apache-2.0
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

/// "/opt/cuda/bin/nvcc (CUDA_HOME)"; the path alone if it was given as such.
static std::string placed(llvm::StringRef path, llvm::StringRef foundBy) {
  return foundBy.empty() ? path.str() : fmt::format("{} ({})", path, foundBy);
}

static std::string describe(const FoundHeader &header) {
  return fmt::format("{} {} at {}", header.name, header.cuda, placed(header.path, header.foundBy));
}

static void judgeKnown(const Toolkit &toolkit, std::vector<Finding> &findings) {
  for (const std::string &conflict : toolkit.conflicts) {
    Finding &finding = findings.emplace_back(
        makeFinding(Code::EvidenceConflict, "two sources disagree about the CUDA toolkit"));
    finding.addFact("conflict", conflict);
    finding.addFact("toolkit", placed(toolkit.nvcc, toolkit.foundBy));
  }
  if (toolkit.version().known())
    return;
  Finding &finding = findings.emplace_back(makeFinding(
      Code::ToolkitVersionUnknown, "the version of the CUDA toolkit cannot be determined"));
  finding.addFact("toolkit", placed(toolkit.nvcc, toolkit.foundBy));
  finding.addFact("searched", "the text of nvcc, cuda.h, the wheels' metadata");
}

/// TG-3. With `enforce = "symbols"` a newer minor may compile; the link checks the symbols that are
/// used (TG-5).
static void judgeToolkit(const Target &target, const Toolkit &toolkit, LookAround lookAround,
                         Accepts accepts, std::vector<Finding> &findings) {
  CudaVersion version = toolkit.version();
  if (!version.known() || !exceeds(version, target.line))
    return;
  bool major = version.major != target.line.major;
  if (!major && target.enforce == Enforce::Symbols)
    return;
  Finding &finding = findings.emplace_back(makeFinding(
      major ? Code::TargetMajor : Code::TargetNewer,
      fmt::format("toolkit CUDA {} {} CUDA {}", version,
                  major ? "is of another major than" : "is newer than runtime", target.line)));
  const Component *nvcc = toolkit.find("nvcc");
  finding.addFact("toolkit", fmt::format("nvcc {} at {}", nvcc->version,
                                         placed(toolkit.nvcc, toolkit.foundBy)));
  finding.facts.push_back(runtimeFact(target, "libcudart"));
  finding.fixes = fixesFor(target, version, lookAround, accepts);
}

static void judgeHeader(const Target &target, const FoundHeader &header, bool refused,
                        LookAround lookAround, Accepts accepts, std::vector<Finding> &findings) {
  if (!header.problem.empty() || !header.cuda.known()) {
    Finding &finding = findings.emplace_back(
        makeFinding(Code::ToolkitVersionUnknown,
                    fmt::format("the version of {} cannot be determined", header.name)));
    finding.addFact("header", placed(header.path, header.foundBy));
    finding.addFact("because", header.problem.empty() ? "no version in it" : header.problem);
    return;
  }
  if (!exceeds(header.cuda, target.line))
    return;
  bool major = header.cuda.major != target.line.major;
  if (!major && target.enforce == Enforce::Symbols)
    return;
  Finding &finding = findings.emplace_back(makeFinding(
      major ? Code::HeadersMajor : Code::HeadersNewer,
      fmt::format("CUDA {} headers{} CUDA {}", header.cuda,
                  major ? ", of another major than" : " are newer than runtime", target.line)));
  finding.addFact("headers", describe(header));
  finding.facts.push_back(runtimeFact(target, "libcudart"));
  if (refused)
    finding.addFact("consequence", "of headers that do not belong to nvcc");
  finding.fixes = fixesFor(target, header.cuda, lookAround, accepts);
}

/// All findings, before the mode is applied.
static std::vector<Finding> judgeAll(const Target &target, const Toolkit *toolkit,
                                     llvm::ArrayRef<FoundHeader> headers, LookAround lookAround,
                                     Accepts accepts) {
  std::vector<Finding> findings;
  if (toolkit) {
    judgeKnown(*toolkit, findings);
    llvm::append_range(findings, judgeCoherence(*toolkit, headers, target.line));
    judgeToolkit(target, *toolkit, lookAround, accepts, findings);
  }
  CudaVersion judged = toolkit ? toolkit->version() : CudaVersion{};
  for (const FoundHeader &header : headers) {
    // One finding per release: the toolkit's cuda.h and cuda_runtime_api.h repeat what nvcc's
    // version says.
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
  return judgeDeclared(target, lookAround,
                       [&](const Target &under, LookAround around, Accepts accepts) {
                         return judgeAll(under, toolkit, headers, around, accepts);
                       });
}

} // namespace cudacc::policy
