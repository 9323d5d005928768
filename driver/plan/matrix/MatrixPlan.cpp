// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/matrix/MatrixPlan.h"
#include "driver/plan/matrix/FewestSets.h"
#include "driver/versions/Format.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

namespace cudacc::plan {

using llvm::BitVector;
using llvm::StringRef;
using versions::Version;

/// Runtimes with the same key can be served by one build. Wheels of one torch release for several
/// CUDA lines can differ in the ABI of the C++ library, so that their label counts.
static Version abiKey(const MatrixRuntime &runtime, TorchAbi abi) {
  Version key;
  std::optional<Version> torch = Version::parse(runtime.torch);
  if (!torch || abi == TorchAbi::None)
    return key;
  if (abi == TorchAbi::Stable) {
    key.release = {1};
    return key;
  }
  key.epoch = torch->epoch;
  key.release = {torch->at(0), torch->at(1)};
  key.preKind = torch->preKind;
  key.pre = torch->pre;
  key.dev = torch->dev;
  key.local = torch->local;
  return key;
}

static bool isOlder(const MatrixRuntime &one, const MatrixRuntime &other) {
  auto a = Version::parse(one.torch), b = Version::parse(other.torch);
  if (a && b && (*a < *b || *b < *a))
    return *a < *b;
  return one.line < other.line;
}

/// Of the chosen toolkits, each runtime is given to the first that serves it.
static std::vector<MatrixBuild> buildsOf(const MatrixInputs &inputs,
                                         llvm::ArrayRef<BitVector> served) {
  std::vector<MatrixBuild> builds;
  BitVector given(inputs.runtimes.size());
  for (unsigned toolkit : fewestSets(served)) {
    MatrixBuild &build = builds.emplace_back();
    build.toolkit = toolkit;
    for (unsigned runtime : served[toolkit].set_bits())
      if (!given.test(runtime))
        build.runtimes.push_back(runtime);
    given |= served[toolkit];
    build.base = build.runtimes.front();
    for (unsigned runtime : build.runtimes)
      if (isOlder(inputs.runtimes[runtime], inputs.runtimes[build.base]))
        build.base = runtime;
  }
  return builds;
}

core::Outcome UnservedRuntime::outcome() const {
  bool isKnown = llvm::all_of(verdicts, [](const core::Verdict &verdict) {
    return verdict.outcome() == core::Outcome::Reject;
  });
  return isKnown ? core::Outcome::Reject : core::Outcome::Unknown;
}

StringRef MatrixPlan::torchOf(const MatrixBuild &build) const {
  return inputs.abi == TorchAbi::None ? StringRef() : StringRef(inputs.runtimes[build.base].torch);
}

std::string matrixName(StringRef text) {
  std::string name;
  for (char c : text.ltrim('/'))
    name += llvm::isAlnum(c) || StringRef("._+").contains(c) ? c : '-';
  return name;
}

std::string MatrixPlan::nameOf(const MatrixBuild &build) const {
  std::string name = fmt::format("cu{}", inputs.toolkits[build.toolkit].cuda);
  if (StringRef torch = torchOf(build); !torch.empty())
    name += fmt::format("-torch{}", torch);
  if (!build.python.empty())
    name += fmt::format("-py{}", matrixName(build.python));
  return matrixName(name);
}

MatrixPlan planMatrix(
    MatrixInputs inputs,
    llvm::function_ref<core::Verdict(const MatrixRuntime &, const core::FoundToolkit &)> judge) {
  MatrixPlan plan;
  llvm::stable_sort(inputs.toolkits, [](const core::FoundToolkit &a, const core::FoundToolkit &b) {
    return a.cuda < b.cuda;
  });

  BitVector none(inputs.runtimes.size());
  std::map<Version, std::vector<BitVector>> servedByAbi;
  for (unsigned at = 0; at < inputs.runtimes.size(); ++at) {
    const MatrixRuntime &runtime = inputs.runtimes[at];
    std::vector<BitVector> &served = servedByAbi[abiKey(runtime, inputs.abi)];
    served.resize(inputs.toolkits.size(), none);
    UnservedRuntime unserved{at, {}};
    bool isServed = false;
    for (auto [toolkit, found] : llvm::enumerate(inputs.toolkits)) {
      core::Verdict &verdict = unserved.verdicts.emplace_back(judge(runtime, found));
      if (verdict.outcome() != core::Outcome::Accept)
        continue;
      served[toolkit].set(at);
      isServed = true;
    }
    if (!isServed)
      plan.unserved.push_back(std::move(unserved));
  }

  std::vector<MatrixBuild> builds;
  unsigned candidates = 0;
  for (const auto &[abi, served] : servedByAbi) {
    llvm::append_range(builds, buildsOf(inputs, served));
    candidates += llvm::count_if(served, [](const BitVector &set) { return set.any(); });
  }
  std::vector<std::string> pythons = inputs.pythons;
  if (pythons.empty())
    pythons.emplace_back();
  for (const std::string &python : pythons)
    for (MatrixBuild build : builds) {
      build.python = python;
      plan.builds.push_back(std::move(build));
    }
  plan.candidates = candidates * pythons.size();
  plan.inputs = std::move(inputs);
  return plan;
}

} // namespace cudacc::plan
