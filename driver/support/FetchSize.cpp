// SPDX-License-Identifier: Apache-2.0
#include "driver/support/FetchSize.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::support {

using namespace core;

uint64_t totalOf(const FetchPlan &plan, uint64_t FetchPart::*member) {
  uint64_t sum = 0;
  for (const FetchPart &each : plan.parts) {
    if (!(each.*member))
      return 0;
    sum += each.*member;
  }
  return sum;
}

bool hasArchives(const FetchPlan &plan) {
  return llvm::any_of(
      plan.parts, [](const FetchPart &part) { return part.source == FetchPart::Source::Archive; });
}

std::string sizeText(const FetchPlan &plan) {
  std::string text = fmt::format("{} file{}", plan.parts.size(), plan.parts.size() == 1 ? "" : "s");
  if (uint64_t bytes = totalOf(plan, &FetchPart::bytes))
    text += fmt::format(", {}", bytesText(bytes));
  if (uint64_t bytes = totalOf(plan, &FetchPart::unpacked))
    text += fmt::format(" ({} unpacked)", bytesText(bytes));
  return text;
}

} // namespace cudacc::support
