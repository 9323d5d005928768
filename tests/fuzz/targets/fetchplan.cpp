// SPDX-License-Identifier: Apache-2.0
#include "driver/resolve/FetchPlan.h"
#include "driver/support/Json.h"
#include "tests/fuzz/Input.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cudacc;

/// A path or name in a plan must not lead out of its folder, nor a version out of its line.
static void check(const core::FetchPlan &plan) {
  fuzz::expect(plan.key == resolve::keyOf(plan) && !llvm::StringRef(plan.key).contains('/'));
  for (const core::FetchPart &part : plan.parts) {
    fuzz::expect(llvm::none_of(part.version, llvm::isSpace));
    for (llvm::StringRef step : llvm::split(part.path, '/'))
      fuzz::expect(part.path.empty() || (!step.empty() && step != ".."));
  }
}

/// The plan of a fetched toolkit, and a lock file of plans.
static void run(llvm::StringRef text) {
  support::TextError error;
  if (auto value = support::readJson(text, error))
    if (auto plan = fuzz::valueOf(resolve::readFetchPlan(*value, "fetched.json")))
      check(*plan);
  if (auto plans = fuzz::valueOf(resolve::readFetchLock(text, "x.lock")))
    for (const core::FetchPlan &plan : *plans) {
      check(plan);
      for (const core::FetchPart &part : plan.parts)
        fuzz::expect(!part.sha256.empty());
    }
}

static const fuzz::Target target("fetchplan", run);
