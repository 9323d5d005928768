// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/JudgeManifest.h"
#include "driver/policy/rules/BinaryCase.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::policy {

using namespace core;
using llvm::StringRef;

std::string cudaIn(const BinaryFacts &facts) {
  std::vector<StringRef> needed;
  llvm::copy_if(facts.needed, std::back_inserter(needed), isNvidiaLibrary);
  if (!needed.empty())
    return fmt::format("needs {}", llvm::join(needed, ", "));
  if (facts.staticCudart)
    return "contains libcudart_static.a";
  return facts.device.units.empty() ? "" : "contains device code";
}

std::optional<bool> hasLinkRecord(const BinaryFacts &facts) {
  bool isLinked = facts.kind == BinaryKind::SharedObject || facts.kind == BinaryKind::Executable;
  if (!isLinked || isNvidiaLibrary(facts.soname) || !ungrafted(facts.soname).empty())
    return std::nullopt;
  if (!facts.manifest.links.empty())
    return true;
  return cudaIn(facts).empty() ? std::nullopt : std::optional(false);
}

std::optional<Finding> judgeLinkRecord(const BinaryFacts &facts) {
  if (hasLinkRecord(facts).value_or(true))
    return std::nullopt;
  Finding finding =
      makeFinding(Code::ArtefactUnmarked, "the file has no manifest: cuda-cc did not link it");
  finding.addFact("artefact", cudaIn(facts));
  finding.addFix("link it through cuda-cc; cuda-cc audit BUILD_DIR finds what bypasses it");
  return finding;
}

} // namespace cudacc::policy
