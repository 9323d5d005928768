// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/resolve/Resolve.h"
#include <gmock/gmock.h>

/// The target of a declared runtime, and the texts of findings.
namespace cudacc::test {

inline core::Declaration declare(std::initializer_list<const char *> runtime) {
  core::Declaration declaration;
  unsigned line = 3;
  for (const char *text : runtime)
    declaration.runtime.push_back(
        {text, core::Origin{core::Origin::Kind::File, "cuda-cc.toml", line++, 1}});
  return declaration;
}

inline core::Target target(std::initializer_list<const char *> runtime) {
  auto resolved = resolve::resolve(declare(runtime));
  if (resolved)
    return std::move(*resolved);
  ADD_FAILURE() << *runtime.begin() << ": " << core::toFinding(resolved.takeError()).message;
  return {};
}

inline core::Finding refusal(std::initializer_list<const char *> runtime) {
  auto resolved = resolve::resolve(declare(runtime));
  if (!resolved)
    return core::toFinding(resolved.takeError());
  ADD_FAILURE() << *runtime.begin() << " resolved to CUDA " << resolved->line.str();
  return {};
}

inline std::vector<core::Code> codesOf(llvm::ArrayRef<core::Finding> findings) {
  std::vector<core::Code> codes;
  for (const core::Finding &finding : findings)
    codes.push_back(finding.code);
  return codes;
}

/// The texts of the facts with that label.
inline std::string factOf(const core::Finding &finding, const char *label) {
  std::string all;
  for (const core::Fact &fact : finding.facts)
    if (fact.label == label)
      all += (all.empty() ? "" : "; ") + fact.text;
  return all;
}

} // namespace cudacc::test
