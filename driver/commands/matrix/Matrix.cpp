// SPDX-License-Identifier: Apache-2.0
#include "driver/Version.h"
#include "driver/commands/Declaration.h"
#include "driver/commands/Subcommands.h"
#include "driver/commands/matrix/MatrixResult.h"
#include "driver/plan/matrix/MatrixJobs.h"
#include "driver/plan/matrix/MatrixScripts.h"
#include "driver/report/json/Json.h"
#include "driver/report/sarif/Sarif.h"
#include "driver/report/text/Text.h"
#include "driver/run/RealRunner.h"

namespace cudacc::commands {

using namespace core;

/// Ninja's exit statuses where a signal interrupted it: before 1.12, and since.
static constexpr int interruptedBefore = 2, interrupted = 130;

static int exitOf(Outcome outcome, const MatrixArguments &arguments,
                  const Declaration &declaration) {
  return int(core::exitOf(outcome, arguments.strict || declaration.strict.value));
}

/// The worst of the runtimes that no toolkit serves.
static Outcome outcomeOfPlan(const plan::MatrixPlan &plan) {
  Verdict all;
  for (const plan::UnservedRuntime &unserved : plan.unserved)
    for (const Verdict &verdict : unserved.verdicts)
      if (verdict.outcome() == unserved.outcome())
        all.append(verdict.findings);
  return all.outcome();
}

/// What a machine that makes one build keeps of it, as patterns in the build's folder.
static std::vector<std::string> keptOf(const config::MatrixTable &table) {
  std::vector<std::string> artefacts, kept = {"*.log"};
  for (const Setting<std::string> &each : table.artefacts)
    artefacts.push_back(each.value);
  if (!table.test.value.empty())
    kept.push_back("tests/*/*.log");
  for (const std::string &each :
       plan::matrixRecipe(table.build.value, artefacts, /*ownPython=*/false).artefacts)
    kept.push_back("work/" + each);
  return kept;
}

static int printPlan(pipeline::System &system, const MatrixArguments &arguments,
                     const Declaration &declaration, const MatrixResult &result) {
  using Prints = MatrixRequest::Prints;
  const FoundMatrix &found = *result.found;
  std::vector<std::string> kept = keptOf(found.request.table);
  plan::MatrixJobs jobs{found.request.options, kept, found.jobFetch};
  switch (found.request.prints) {
  case Prints::Github:
    system.console.out(plan::githubWorkflow(found.plan, jobs));
    break;
  case Prints::Gitlab:
    system.console.out(plan::gitlabJob(found.plan, jobs));
    break;
  case Prints::Plan:
  case Prints::Result:
    system.console.out(arguments.json ? report::print(matrixJson(result, /*isRun=*/false))
                                      : matrixPlanText(found, pipeline::outStyle(system)));
    break;
  }
  if (!arguments.json)
    system.console.err(report::text(result.problems(), pipeline::errStyle(system)));
  return exitOf(outcomeOfPlan(result.found->plan), arguments, declaration);
}

static int print(pipeline::System &system, const MatrixArguments &arguments,
                 const Declaration &declaration, const MatrixResult &result) {
  int status = exitOf(result.outcome(), arguments, declaration);
  if (arguments.json)
    system.console.out(report::print(matrixJson(result, /*isRun=*/true)));
  else if (arguments.sarif)
    system.console.out(report::print(
        report::sarif(result.judgements(), result.problems(), cudacc::version, status)));
  else {
    system.console.err(report::text(result.problems(), pipeline::errStyle(system)));
    system.console.out(matrixText(result, pipeline::outStyle(system)));
  }
  return status;
}

static llvm::Expected<int> matrix(pipeline::System &system, const MatrixArguments &arguments) {
  auto request = readMatrixRequest(system, arguments);
  if (!request)
    return request.takeError();
  auto declaration = readDeclaration(system, arguments);
  if (!declaration)
    return declaration.takeError();
  auto found = findMatrix(system, *declaration, std::move(*request));
  if (!found)
    return found.takeError();
  auto chosen = chosenBuilds(*found);
  if (!chosen)
    return chosen.takeError();
  if (found->request.prints != MatrixRequest::Prints::Result)
    return printPlan(system, arguments, *declaration, readMatrix(system, *found, {}));
  MatrixReports reports(system, found->request.folder, arguments.report);
  if (!chosen->empty()) {
    if (llvm::Error error = fetchToolkits(system, *found, *chosen))
      return error;
    auto ended = runMatrix(system, *found, *chosen, reports);
    if (!ended)
      return ended.takeError();
    if (ended->signal)
      run::endLike(*ended);
    if (ended->status == interruptedBefore || ended->status == interrupted)
      return interrupted;
  }
  MatrixResult result = readMatrix(system, *found, *chosen);
  int status = print(system, arguments, *declaration, result);
  if (arguments.report)
    if (llvm::Error error = writeMatrixPage(system, *arguments.report, result))
      return error;
  if (!chosen->empty())
    if (llvm::Error error = reports.keep())
      return error;
  return status;
}

static constexpr Option<MatrixArguments> matrixOptions[] = {
    {"--format", &MatrixArguments::format, "text json sarif"},
    {"--strict", &MatrixArguments::strict},
    {"--report", &MatrixArguments::report, "HTML"},
    {"--runtime", keptValue, "REQ"},
    {"--toolkit", keptValue, "auto fetch PATH"},
    {"--python", keptValue, "PROGRAM"},
    {"--build", keptValue, "cmake meson"},
    {"--artefact", keptValue},
    {"--input", keptValue, "PATH"},
    {"--test", keptValue},
    {"--torch-abi", keptValue, "minor stable none"},
    {"--dir", keptValue, "DIR"},
    {"--jobs", keptValue},
    {"--plan", keptFlag},
    {"--accept-license", &MatrixArguments::acceptLicense},
    {"--github", keptFlag},
    {"--gitlab", keptFlag},
};

constexpr SubcommandBody matrixSubcommand = bodyOf<matrixOptions, matrix>();

} // namespace cudacc::commands
