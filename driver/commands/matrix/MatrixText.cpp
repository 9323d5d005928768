// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/matrix/MatrixResult.h"
#include "driver/report/text/CheckParts.h"
#include "driver/support/FetchSize.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

using namespace core;
using namespace report;

using Rows = std::vector<std::vector<std::string>>;

/// `cuda==13.0, cuda==13.2`.
static std::string servedBy(const FoundMatrix &found, const plan::MatrixBuild &build) {
  return support::joined(build.runtimes, ", ",
                         [&](unsigned runtime) { return printable(found.runtimes[runtime].name); });
}

/// Its folder, or what would be fetched.
static std::string toolkitText(const FoundMatrix &found, const std::string &root) {
  auto fetch = found.fetches.find(root);
  return fetch == found.fetches.end()
             ? printable(root)
             : fmt::format("CUDA {}, to fetch: {}", fetch->second.plan.release,
                           support::sizeText(fetch->second.plan));
}

std::string matrixPlanText(const FoundMatrix &found, Style style) {
  const plan::MatrixPlan &plan = found.plan;
  size_t served = plan.inputs.runtimes.size() - plan.unserved.size();
  std::string text =
      fmt::format("{} for {}, of {} that differ\n", count(plan.builds.size(), "build"),
                  count(served, "runtime"), plan.candidates);
  Rows rows = {{"build", "for", "toolkit"}};
  for (const plan::MatrixBuild &build : plan.builds)
    rows.push_back({plan.nameOf(build), servedBy(found, build),
                    toolkitText(found, plan.inputs.toolkits[build.toolkit].root)});
  if (rows.size() > 1)
    text += paintedTable(table(rows, indent), true, indent, style);
  for (const std::string &version : found.missing)
    text += fmt::format("toolkit {}: not on this machine\n", printable(version));
  return text;
}

static void addRows(const MatrixResult &result, unsigned runtime, Rows &rows) {
  for (unsigned at = 0; at < result.builds.size(); ++at) {
    if (result.builds[at].state == MatrixBuilt::State::NotMade)
      continue;
    const Finding *decisive = nullptr;
    auto outcome = result.outcome(at, runtime, &decisive);
    std::string because =
        decisive ? fmt::format("{} [{}]", printable(messageOf(*decisive)), str(decisive->code))
                 : "";
    rows.push_back({str(outcome.value_or(Outcome::Unknown)),
                    printable(result.found->runtimes[runtime].name), result.builds[at].name,
                    std::move(because)});
  }
}

std::string matrixText(const MatrixResult &result, Style style) {
  size_t numbers[3] = {};
  Rows rows = {{"verdict", "runtime", "build", "because"}};
  for (unsigned runtime : result.runtimes) {
    ++numbers[badness(result.outcome(runtime))];
    addRows(result, runtime, rows);
  }
  std::string said;
  for (auto [outcome, word] : {std::pair(Outcome::Reject, "rejected"),
                               {Outcome::Unknown, "unknown"},
                               {Outcome::Accept, "accepted"}})
    if (size_t number = numbers[badness(outcome)])
      support::appendItem(said, fmt::format("{} {}", number, word));
  size_t made = llvm::count_if(result.builds, [](const MatrixBuilt &built) {
    return built.state != MatrixBuilt::State::NotMade;
  });
  return fmt::format("{} and {}: {}\n{}", count(result.runtimes.size(), "runtime"),
                     count(made, "build"), said,
                     rows.size() > 1 ? paintedTable(table(rows, indent), true, indent, style) : "");
}

} // namespace cudacc::commands
