// SPDX-License-Identifier: Apache-2.0
#include "driver/Version.h"
#include "driver/commands/Page.h"
#include "driver/commands/matrix/MatrixResult.h"
#include "driver/report/html/HtmlParts.h"
#include "driver/report/text/CheckParts.h"
#include "driver/versions/EnumWords.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

using namespace core;
using namespace report;

static llvm::StringRef wordFor(Outcome outcome) {
  static constexpr llvm::StringLiteral words[] = {"loads", "does not load", "not known"};
  return versions::entryOf<Outcome::Unknown>(words, outcome);
}

/// Runtimes against builds.
static RuntimeTable tableOf(const MatrixResult &result) {
  const plan::MatrixPlan &plan = result.found->plan;
  RuntimeTable table;
  table.caption = "Runtimes and the builds that load there";
  table.key = "Each build is judged on every runtime; a runtime needs one that is accepted.";
  std::vector<unsigned> made;
  for (unsigned at = 0; at < result.builds.size(); ++at)
    if (result.builds[at].state != MatrixBuilt::State::NotMade) {
      made.push_back(at);
      table.columns.push_back(
          {result.builds[at].name,
           fmt::format("CUDA {}", plan.inputs.toolkits[plan.builds[at].toolkit].cuda)});
    }
  for (unsigned runtime : result.runtimes) {
    MatrixRow row;
    row.label = result.found->runtimes[runtime].name;
    versions::CudaVersion line = result.found->runtimes[runtime].target.line;
    row.line = line.known() ? line.str() : "";
    row.outcome = result.outcome(runtime);
    for (unsigned build : made) {
      const Finding *decisive = nullptr;
      MatrixCell &cell = row.cells.emplace_back();
      Outcome outcome = result.outcome(build, runtime, &decisive).value_or(Outcome::Unknown);
      cell.outcome = outcome;
      cell.text = wordFor(outcome).str();
      if (!decisive)
        continue;
      cell.why = messageOf(*decisive).str();
      if (row.outcome != Outcome::Accept && row.reason.empty())
        row.reason = cell.why;
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

llvm::Error writeMatrixPage(pipeline::System &system, const std::string &path,
                            const MatrixResult &result) {
  std::vector<Judgement> judgements = result.judgements();
  std::vector<Finding> problems = result.problems();
  HtmlReport page;
  page.version = cudacc::version;
  page.title = llvm::StringRef(matrixText(result)).split('\n').first.str();
  page.judgements = judgements;
  page.files = filesInFull(judgements);
  auto summary = [&](HtmlWriter &html) {
    {
      HtmlSection section(html, "h2", "Matrix");
      htmlRuntimes(html, tableOf(result));
    }
    if (problems.empty())
      return;
    HtmlSection section(html, "h2", "Problems");
    for (const Finding &finding : problems)
      htmlFinding(html, finding);
  };
  page.summary = summary;
  auto has = [&](llvm::StringRef name, llvm::StringRef soname) {
    return versionIn(result.found->runtimes, name, soname);
  };
  page.has = has;
  return writePage(system, path, page);
}

} // namespace cudacc::commands
