// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/Words.h"
#include "driver/policy/rules/BinaryCase.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

namespace cudacc::policy {

using namespace core;
using namespace versions;

static bool sameTarget(const LinkRecord &a, const LinkRecord &b) {
  if (a.targetCuda != b.targetCuda || a.targetSpec != b.targetSpec)
    return false;
  return llvm::all_of(a.targetLibs, [&](const auto &library) {
    auto other = b.targetLibs.find(library.first);
    return other == b.targetLibs.end() || other->second == library.second;
  });
}

static std::string describe(const LinkRecord &link) {
  std::string spec = link.targetSpec.empty() ? "no target" : link.targetSpec;
  return spec + (link.targetCuda.empty() ? "" : ", CUDA " + link.targetCuda);
}

static void judgeLinkRecords(BinaryCase &judged) {
  const Manifest &manifest = judged.file.manifest;
  if (manifest.links.size() < 2)
    return;
  bool conflict = llvm::any_of(manifest.links, [&](const LinkRecord &link) {
    return !sameTarget(manifest.links.front(), link);
  });
  Finding &finding =
      conflict ? judged.add(Code::ConflictingTargets, "link records that name different targets")
               : judged.add(Code::SeveralLinkRecords,
                            fmt::format("{} link records in one file", manifest.links.size()));
  for (const LinkRecord &link : manifest.links)
    finding.addFact("record", describe(link));
}

/// F2 and RD-7. Not called at the link, which seals the record afterwards.
static void judgeSeal(BinaryCase &judged) {
  const Manifest &manifest = judged.file.manifest;
  bool unsealed = llvm::any_of(manifest.summaries, [](const SummaryRecord &summary) {
    return summary.crcValid && !(summary.flags & SummaryRecord::Sealed);
  });
  if (unsealed) {
    Finding &finding = judged.add(Code::Unsealed, "the link was interrupted before its check");
    finding.addFact("because", "its record was never sealed");
    finding.addFix("link again");
    return;
  }
  bool broken = (!manifest.links.empty() && !manifest.sealed) ||
                llvm::any_of(manifest.summaries,
                             [](const SummaryRecord &summary) { return !summary.crcValid; });
  if (!broken && manifest.problems.empty())
    return;
  Finding &finding = judged.add(Code::SummaryBroken, "the manifest is damaged");
  for (const std::string &problem : manifest.problems)
    finding.addFact("problem", problem);
  finding.addFact("so", "its text is a hint only; the file itself was checked");
}

/// AV-E09: an error if a newer toolkit is rejected, else a remark; AV-W01 if `symbols` found that
/// nothing newer is used.
static void judgeRecords(BinaryCase &judged) {
  const Target &target = judged.target;
  std::map<CudaVersion, uint64_t> newer;
  for (const auto &[record, count] : judged.file.manifest.objects) {
    CudaVersion worst;
    for (const std::string &text : {record.toolkit, record.headers})
      if (auto version = CudaVersion::parse(text); version && exceeds(*version, target.line))
        worst = std::max(worst, *version);
    if (worst.known())
      newer[worst] += count;
  }
  for (const auto &[version, count] : newer) {
    bool major = version.major != target.line.major;
    bool refused = judged.input.atLink && (target.enforce != Enforce::Symbols || major);
    bool unused = judged.input.atLink && !refused && !judged.rejected();
    Finding &finding =
        judged.add(unused ? Code::NewerButUnused : Code::RecordNewer,
                   fmt::format("{} {} compiled with CUDA {}, runtime CUDA {}", count,
                               count == 1 ? "object" : "objects", version, target.line));
    finding.addFact("record", "the objects' own, written when they were compiled");
    finding.facts.push_back(runtimeFact(target, "libcudart"));
    if (!refused && !unused)
      finding.severity = Severity::Remark;
    auto accepts = [&](llvm::StringRef requirement) { return judged.accepts(requirement); };
    if (refused)
      finding.fixes = fixesFor(target, version, judged.lookAround, accepts);
  }
}

static void judgeStack(BinaryCase &judged) {
  const Manifest &manifest = judged.file.manifest;
  if (!judged.file.executableStack)
    return;
  Finding &finding = judged.add(Code::ExecutableStack, "the file asks for an executable stack");
  finding.addFact("because", "one object without .note.GNU-stack is enough; newer "
                             "versions of glibc refuse to dlopen such a file");
  finding.addFact("but", "nested functions of GNU C need it, and crash without");
  finding.addFix("link with -Wl,-z,noexecstack");
  // Only libraries that cuda-cc linked are rejected: nothing opens a program with dlopen.
  bool isOurs = !manifest.links.empty() || !manifest.objects.empty() || judged.input.atLink;
  if (!isOurs || judged.file.kind == BinaryKind::Executable)
    finding.severity = Severity::Remark;
}

/// F18: the path of a member of a wheel contains a `!`.
static void judgeDevelop(BinaryCase &judged) {
  bool inWheel = judged.file.path.find('!') != std::string::npos;
  auto develops = [](const LinkRecord &record) { return record.develop; };
  if (!inWheel || llvm::none_of(judged.file.manifest.links, develops))
    return;
  Finding &finding = judged.add(Code::DevelopBuild, "built in place, and lies in a wheel");
  finding.addFact("because", "its search path names directories of the build machine");
  finding.addFix("link it under a release, as torch==2.5.1, not under an environment");
}

static void addRemarks(BinaryCase &judged) {
  const BinaryFacts &file = judged.file;
  bool cuda = !file.device.empty() || file.staticCudart || !judged.imports.empty() ||
              llvm::any_of(file.needed, isNvidiaLibrary);
  if (file.manifest.empty() && !cuda && !judged.ofNvidia)
    judged.add(Code::NoEvidence, "no manifest, and nothing of CUDA inside");
  if (file.staticCudart)
    judged.add(Code::StaticCudart, "the CUDA runtime is linked statically");
  if (!file.dlopens.empty()) {
    judged.add(Code::DlopenMetadata, "opens at run time: " + llvm::join(file.dlopens, ", "));
    return;
  }
  bool opens = llvm::any_of(file.imports, [](const Import &import) {
    return !import.weak && (import.symbol == "dlopen" || import.symbol == "dlmopen");
  });
  // libcudart_static opens the driver; for NVIDIA's own libraries the tables know what they open.
  if (opens && cuda && !file.staticCudart && !judged.ofNvidia)
    judged.add(Code::DlopenWithoutMetadata, "opens libraries at run time and does not say which");
}

void judgeIntegrity(BinaryCase &judged) {
  const Manifest &manifest = judged.file.manifest;
  judgeLinkRecords(judged);
  if (!judged.input.atLink)
    judgeSeal(judged);
  if (manifest.onlyInSections && judged.isLinked())
    judged.add(Code::NoteOutsideSegment, "the manifest is in no segment")
        .addFact("because", "a tool added it after the link");
  if (judged.target.declared)
    judgeRecords(judged);
  if (judged.isLinked())
    judgeStack(judged);
  judgeDevelop(judged);
  if (judged.file.compilerIr)
    judged.add(Code::BrokenBinary, "compiler IR: what it imports shows at the link only");
  if (!judged.input.atLink || judged.input.remarks)
    addRemarks(judged);
}

} // namespace cudacc::policy
