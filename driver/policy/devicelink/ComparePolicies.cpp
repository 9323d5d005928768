// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/devicelink/LinkCase.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;

static std::vector<Code> errorsOf(const LinkChoice &choice) {
  std::vector<Code> codes;
  for (const Finding &finding : choice.findings)
    if (finding.severity == Severity::Error)
      codes.push_back(finding.code);
  return codes;
}

/// `takes nvJitLink`, `refuses the link (CC5003)`.
static std::string resultOf(const LinkChoice &choice) {
  if (choice.backend)
    return *choice.backend == LinkBackend::NvJitLink ? "takes nvJitLink" : "takes the driver";
  return fmt::format("refuses the link ({})", str(errorsOf(choice).front()));
}

/// By the row of matrix A.
static llvm::StringRef why(const LinkChoice &aware) {
  if (aware.row == "A5")
    return "a newer driver loads what an older nvJitLink emits";
  if (aware.row == "A7")
    return "an older driver may not load what a newer nvJitLink emits";
  return "it compares the versions of the inputs with the linker's";
}

LinkComparison comparePolicies(const LinkQuestion &question) {
  LinkQuestion other = question;
  LinkComparison both;
  other.policy = LinkPolicy::DirectionAware;
  both.directionAware = chooseLinker(other);
  other.policy = LinkPolicy::CudaCore1911;
  both.cudaCore1911 = chooseLinker(other);
  if (both.directionAware.backend != both.cudaCore1911.backend ||
      errorsOf(both.directionAware) != errorsOf(both.cudaCore1911))
    both.difference = fmt::format(
        "direction-aware {}: {}; cuda-core-1911 {}: it compares majors for equality",
        resultOf(both.directionAware), why(both.directionAware), resultOf(both.cudaCore1911));
  return both;
}

} // namespace cudacc::policy
