// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/Fetch.h"
#include "driver/report/text/Layout.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::report {

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

static std::string placeOf(const FetchPart &part, llvm::StringRef base) {
  if (part.source == FetchPart::Source::Wheel)
    return fmt::format("wheel {}=={}", part.name, part.version);
  return base.empty() ? "archive " + part.path : fmt::format("{}/{}", base.rtrim('/'), part.path);
}

std::string text(const FetchReport &report) {
  if (!report.plan)
    return fmt::format("nothing to fetch: the environment has {}\n", printable(report.nvcc));
  const FetchPlan &plan = *report.plan;
  std::string out = fmt::format("CUDA {} for {}: {}\n", plan.release, plan.machine, sizeText(plan));
  std::vector<std::vector<std::string>> rows;
  for (const FetchPart &part : plan.parts)
    rows.push_back({part.part, part.bytes ? bytesText(part.bytes) : "size unknown",
                    printable(placeOf(part, report.base))});
  out += table(rows, indent);
  rows = {{report.isKept ? "is there" : "would be in", printable(report.folder)},
          {"license", fmt::format("{} ({}): {}", report.license, report.licenseText,
                                  report.isAccepted ? "accepted" : "not accepted yet")}};
  if (hasArchives(plan) && report.base.empty())
    rows.push_back({"archives", "CUDA_CC_REDIST_URL is not set"});
  return out + table(rows, indent);
}

} // namespace cudacc::report
