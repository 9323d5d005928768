// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/RuntimeSubstitute.h"
#include "driver/policy/advice/Overrides.h"
#include "driver/resolve/DeclaredRequirement.h"
#include "driver/resolve/Resolve.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;

std::optional<Target> substituteRuntime(const Target &target, llvm::StringRef requirement) {
  Declaration declaration;
  Origin tried{Origin::Kind::Option, "--runtime"};
  declaration.runtime.push_back({requirement.str(), tried});
  for (const Setting<std::string> &each : target.declaredAs) {
    auto parsed = llvm::expectedToOptional(resolve::parseRequirement(each));
    if (parsed && !parsed->isRuntime())
      declaration.runtime.push_back(each);
  }
  auto resolved = llvm::expectedToOptional(resolve::resolve(declaration));
  if (!resolved)
    return std::nullopt;
  resolved->declared = true;
  resolved->declaredAs = declaration.runtime;
  resolved->enforce = target.enforce;
  resolved->layout = target.layout;
  return resolved;
}

bool areAccepted(llvm::ArrayRef<Finding> findings) {
  return llvm::none_of(findings,
                       [](const Finding &each) { return each.severity == Severity::Error; });
}

std::vector<Finding> judgeDeclared(const Target &target, LookAround lookAround, JudgeUnder judge) {
  if (!target.declared || target.enforce == Enforce::Off)
    return {};
  auto accepts = [&](llvm::StringRef requirement) {
    auto other = substituteRuntime(target, requirement);
    auto noToolkits = [] { return std::vector<FoundToolkit>(); };
    auto never = [](llvm::StringRef) { return false; };
    return other && areAccepted(judge(*other, noToolkits, never));
  };
  return applyMode(target.enforce, judge(target, lookAround, accepts));
}

} // namespace cudacc::policy
