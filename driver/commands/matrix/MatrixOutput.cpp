// SPDX-License-Identifier: Apache-2.0
#include "driver/Version.h"
#include "driver/commands/Page.h"
#include "driver/commands/matrix/MatrixResult.h"
#include "driver/report/html/HtmlParts.h"
#include "driver/report/json/Json.h"
#include "driver/report/json/JsonParts.h"
#include "driver/report/text/CheckParts.h"
#include "driver/support/FetchSize.h"
#include "driver/support/Text.h"
#include "driver/versions/EnumWords.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

using namespace core;
using namespace report;
using llvm::json::Array;
using llvm::json::Object;
using Rows = std::vector<std::vector<std::string>>;

static llvm::json::Value toolkitJson(const FoundMatrix &found, const FoundToolkit &toolkit) {
  Object out{{"root", fixed(toolkit.root)}};
  put(out, "cuda", toolkit.cuda);
  if (auto fetch = found.fetches.find(toolkit.root); fetch != found.fetches.end())
    out["fetch"] = toJson(fetch->second.plan);
  return out;
}

static llvm::StringRef stateWord(MatrixBuilt::State state) {
  static constexpr llvm::StringLiteral words[] = {"not-made", "built", "failed"};
  return versions::entryOf<MatrixBuilt::State::Failed>(words, state);
}

static llvm::json::Value buildJson(const MatrixResult &result, unsigned at, bool isRun) {
  const FoundMatrix &found = *result.found;
  const plan::MatrixBuild &build = found.plan.builds[at];
  Object out{{"name", result.builds[at].name},
             {"toolkit", toolkitJson(found, found.plan.inputs.toolkits[build.toolkit])},
             {"declared", fixed(found.runtimes[build.base].name)},
             {"runtimes", array(build.runtimes, [&](unsigned runtime) {
                return fixed(found.runtimes[runtime].name);
              })}};
  put(out, "torch", found.plan.torchOf(build));
  put(out, "python", build.python);
  if (!isRun)
    return out;
  out["state"] = stateWord(result.builds[at].state);
  if (result.builds[at].state != MatrixBuilt::State::NotMade)
    out["log"] = fixed(fmt::format("{}/{}/{}", found.request.folder, result.builds[at].name,
                                   matrixfile::buildLog));
  return out;
}

static llvm::json::Value cellJson(const MatrixResult &result, unsigned build, unsigned runtime) {
  const Finding *decisive = nullptr;
  auto outcome = result.outcome(build, runtime, &decisive);
  Object out{{"build", result.builds[build].name},
             {"verdict", str(outcome.value_or(Outcome::Unknown))}};
  if (decisive) {
    out["code"] = str(decisive->code);
    out["because"] = fixed(messageOf(*decisive));
  }
  return out;
}

static llvm::json::Value runtimeJson(const MatrixResult &result, unsigned at, bool isRun) {
  const Runtime &runtime = result.found->runtimes[at];
  Object out{{"runtime", fixed(runtime.name)}};
  put(out, "line", runtime.target.line);
  if (!isRun)
    return out;
  Array cells;
  for (unsigned build = 0; build < result.builds.size(); ++build)
    if (result.builds[build].state != MatrixBuilt::State::NotMade)
      cells.push_back(cellJson(result, build, at));
  out["verdict"] = str(result.outcome(at));
  out["cells"] = std::move(cells);
  return out;
}

llvm::json::Value matrixJson(const MatrixResult &result, bool isRun) {
  const FoundMatrix &found = *result.found;
  Array builds;
  for (unsigned at = 0; at < result.builds.size(); ++at)
    builds.push_back(buildJson(result, at, isRun));
  Object out{{"schema", 1},
             {"candidates", found.plan.candidates},
             {"builds", std::move(builds)},
             {"runtimes",
              array(result.runtimes, [&](unsigned at) { return runtimeJson(result, at, isRun); })},
             {"unserved", array(found.plan.unserved,
                                [&](const plan::UnservedRuntime &each) -> llvm::json::Value {
                                  return Object{
                                      {"runtime", fixed(found.runtimes[each.runtime].name)},
                                      {"verdict", str(each.outcome())},
                                      {"finding", toJson(unservedFinding(found, each))}};
                                })},
             {"missing_toolkits", strings(found.missing)}};
  if (!isRun)
    return out;
  out["verdict"] = str(result.outcome());
  std::vector<Judgement> judgements = result.judgements();
  llvm::json::Value check = toJson(judgements, {});
  out["files"] = std::move(*check.getAsObject()->get("files"));
  putList(out, "problems", result.problems(), findingJson);
  return out;
}

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
