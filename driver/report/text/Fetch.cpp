// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/Fetch.h"
#include "driver/report/text/Layout.h"
#include "driver/support/FetchSize.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"

namespace cudacc::report {

using namespace core;

static std::string placeOf(const FetchPart &part, llvm::StringRef base) {
  if (part.source == FetchPart::Source::Wheel)
    return fmt::format("wheel {}=={}{}{}", part.name, part.version,
                       part.machine.empty() ? "" : " for ", part.machine);
  return base.empty() ? "archive " + part.path : fmt::format("{}/{}", base.rtrim('/'), part.path);
}

std::string text(const FetchReport &report) {
  if (!report.plan)
    return fmt::format("nothing to fetch: the environment has {}\n", printable(report.nvcc));
  const FetchPlan &plan = *report.plan;
  std::string out =
      fmt::format("CUDA {} for {}: {}\n", plan.release, plan.machine, support::sizeText(plan));
  std::vector<std::vector<std::string>> rows;
  for (const FetchPart &part : plan.parts)
    rows.push_back({part.part, part.bytes ? support::bytesText(part.bytes) : "size unknown",
                    printable(placeOf(part, report.base))});
  out += table(rows, indent);
  rows = {{report.isKept ? "is there" : "would be in", printable(report.folder)},
          {"license", fmt::format("{} ({}): {}", report.license, report.licenseText,
                                  report.isAccepted ? "accepted" : "not accepted yet")}};
  if (!report.named.empty())
    rows.push_back({"named", printable(report.named)});
  if (support::hasArchives(plan) && report.base.empty())
    rows.push_back({"archives", "CUDA_CC_REDIST_URL is not set"});
  return out + table(rows, indent);
}

} // namespace cudacc::report
