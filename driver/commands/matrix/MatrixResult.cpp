// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/matrix/MatrixResult.h"
#include "driver/report/text/CheckParts.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

static constexpr uint64_t mostJson = uint64_t(64) << 20;
/// Bytes of a log that are read, and lines of it that are shown.
static constexpr uint64_t mostLog = uint64_t(16) << 20;
static constexpr size_t linesShown = 8;

/// A failed cell with the end of its log.
static Finding failed(pipeline::System &system, Code code, std::string message,
                      const std::string &log) {
  Finding finding = makeFinding(code, std::move(message));
  finding.addFact("log", log);
  auto text = llvm::expectedToOptional(system.files.read(log, mostLog)).value_or("");
  llvm::SmallVector<StringRef, 64> lines;
  StringRef(text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : llvm::ArrayRef(lines).take_back(std::min(lines.size(), linesShown)))
    finding.addFact("says", line.trim().str());
  return finding;
}

static void readBuilt(pipeline::System &system, const FoundMatrix &found,
                      const plan::MatrixBuild &build, MatrixBuilt &built) {
  std::string folder = support::joinPath(found.request.folder, built.name);
  auto failedBy = [&](const std::string &place, StringRef done, StringRef log) {
    if (system.files.stat(support::joinPath(place, done)).exists())
      return false;
    built.state = MatrixBuilt::State::Failed;
    built.problem =
        failed(system, Code::MatrixBuildFailed, fmt::format("the build {} failed", built.name),
               support::joinPath(place, log));
    return true;
  };
  // What was built before does not count without the environment that it needs now.
  std::string environment = matrixEnvironmentFolder(found, build);
  if (!environment.empty() && failedBy(support::joinPath(found.request.folder, environment),
                                       matrixfile::made, matrixfile::makeLog))
    return;
  if (failedBy(folder, matrixfile::built, matrixfile::buildLog))
    return;
  built.state = MatrixBuilt::State::Built;
  auto json = llvm::expectedToOptional(
      system.files.read(support::joinPath(folder, matrixfile::checked), mostJson));
  auto judgements = json ? readJudgements(*json) : std::nullopt;
  if (!judgements || judgements->empty()) {
    built.problem =
        failed(system, Code::MatrixBuildFailed,
               judgements ? fmt::format("the build {} made nothing that can be checked", built.name)
                          : fmt::format("what the build {} made could not be checked", built.name),
               support::joinPath(folder, matrixfile::checkLog));
    return;
  }
  built.judgements = std::move(*judgements);
  std::string work = fmt::format("{}/work/", folder);
  for (Judgement &judgement : built.judgements)
    if (StringRef(judgement.path).starts_with(work))
      judgement.path = fmt::format("{}/{}", built.name, judgement.path.substr(work.size()));
  if (found.request.table.test.value.empty())
    return;
  for (unsigned runtime : build.runtimes) {
    std::string test = support::joinPath(
        found.request.folder, matrixTestFolder(built.name, found.runtimes[runtime].name));
    if (!system.files.stat(support::joinPath(test, matrixfile::passed)).exists())
      built.failedTests[runtime] = failed(
          system, Code::MatrixTestFailed,
          fmt::format("the test of {} failed on {}", built.name, found.runtimes[runtime].name),
          support::joinPath(test, matrixfile::testLog));
  }
}

MatrixResult readMatrix(pipeline::System &system, const FoundMatrix &found,
                        llvm::ArrayRef<unsigned> chosen) {
  MatrixResult result;
  result.found = &found;
  std::vector<bool> isWanted(found.runtimes.size(),
                             found.request.prints != MatrixRequest::Prints::Result ||
                                 found.request.names.empty());
  for (const plan::MatrixBuild &build : found.plan.builds)
    result.builds.emplace_back().name = found.plan.nameOf(build);
  for (unsigned at : chosen) {
    readBuilt(system, found, found.plan.builds[at], result.builds[at]);
    for (unsigned runtime : found.plan.builds[at].runtimes)
      isWanted[runtime] = true;
  }
  for (unsigned runtime = 0; runtime < isWanted.size(); ++runtime)
    if (isWanted[runtime])
      result.runtimes.push_back(runtime);
  return result;
}

std::optional<Outcome> MatrixResult::outcome(unsigned build, unsigned runtime,
                                             const Finding **decisive) const {
  const MatrixBuilt &built = builds[build];
  const Finding *reason = nullptr;
  std::optional<Outcome> worst;
  for (const Judgement &judgement : built.judgements) {
    if (judgement.runtime != found->runtimes[runtime].name)
      continue;
    Outcome outcome = judgement.verdict.outcome();
    if (worst && report::badness(outcome) <= report::badness(*worst))
      continue;
    worst = outcome;
    reason = report::decisive(judgement.verdict);
  }
  if (auto test = built.failedTests.find(runtime);
      test != built.failedTests.end() && worst == Outcome::Accept) {
    worst = Outcome::Reject;
    reason = &test->second;
  }
  if (!worst && built.problem)
    reason = &*built.problem;
  if (decisive)
    *decisive = reason;
  return worst;
}

/// Of the builds with one Python.
static Outcome outcomeWith(const MatrixResult &result, StringRef python, unsigned runtime) {
  bool isUnknown = false, isAccepted = false;
  for (unsigned at = 0; at < result.builds.size(); ++at) {
    const plan::MatrixBuild &build = result.found->plan.builds[at];
    if (build.python != python || result.builds[at].state == MatrixBuilt::State::NotMade)
      continue;
    auto outcome = result.outcome(at, runtime);
    if (result.builds[at].failedTests.count(runtime))
      return Outcome::Reject;
    isAccepted |= outcome == Outcome::Accept;
    bool isMeant = llvm::is_contained(build.runtimes, runtime);
    isUnknown |= outcome == Outcome::Unknown || (!outcome && isMeant);
  }
  return isAccepted ? Outcome::Accept : isUnknown ? Outcome::Unknown : Outcome::Reject;
}

Outcome MatrixResult::outcome(unsigned runtime) const {
  bool isMade = llvm::any_of(
      builds, [](const MatrixBuilt &built) { return built.state != MatrixBuilt::State::NotMade; });
  Outcome worst = isMade ? Outcome::Accept : Outcome::Unknown;
  std::vector<std::string> pythons;
  for (unsigned at = 0; at < builds.size(); ++at)
    if (builds[at].state != MatrixBuilt::State::NotMade &&
        !llvm::is_contained(pythons, found->plan.builds[at].python))
      pythons.push_back(found->plan.builds[at].python);
  for (const std::string &python : pythons)
    worst = report::worse(worst, outcomeWith(*this, python, runtime));
  for (const plan::UnservedRuntime &unserved : found->plan.unserved)
    if (unserved.runtime == runtime && worst != Outcome::Accept)
      return unserved.outcome();
  return worst;
}

Outcome MatrixResult::outcome() const {
  Outcome worst = Outcome::Accept;
  for (unsigned runtime : runtimes)
    worst = report::worse(worst, outcome(runtime));
  for (const MatrixBuilt &built : builds)
    if (built.problem)
      worst = report::worse(worst, Outcome::Unknown);
  return worst;
}

Finding unservedFinding(const FoundMatrix &found, const plan::UnservedRuntime &unserved) {
  const Runtime &runtime = found.runtimes[unserved.runtime];
  Finding finding;
  finding.message = fmt::format("no toolkit here builds for {}", runtime.name);
  for (size_t at = 0; at < unserved.verdicts.size(); ++at) {
    const FoundToolkit &toolkit = found.plan.inputs.toolkits[at];
    const Finding *reason = report::decisive(unserved.verdicts[at]);
    // A toolkit of the same major says most.
    bool isNear = toolkit.cuda.major == runtime.target.line.major || finding.code == Code();
    if (reason && isNear && unserved.verdicts[at].outcome() == unserved.outcome())
      finding.code = reason->code;
    finding.addFact(fmt::format("CUDA {}", toolkit.cuda),
                    reason ? fmt::format("{} [{}]", report::messageOf(*reason), str(reason->code))
                           : toolkit.root);
  }
  for (const std::string &version : found.missing)
    finding.addFact(fmt::format("CUDA {}", version), "not on this machine");
  return finding;
}

std::vector<Finding> MatrixResult::problems() const {
  std::vector<Finding> all;
  for (const plan::UnservedRuntime &unserved : found->plan.unserved)
    // What was built for another runtime may load there nevertheless.
    if (llvm::is_contained(runtimes, unserved.runtime) &&
        outcome(unserved.runtime) != Outcome::Accept)
      all.push_back(unservedFinding(*found, unserved));
  for (const MatrixBuilt &built : builds) {
    if (built.problem)
      all.push_back(*built.problem);
    for (const auto &[runtime, finding] : built.failedTests)
      all.push_back(finding);
  }
  return all;
}

std::vector<Judgement> MatrixResult::judgements() const {
  std::vector<Judgement> all;
  for (const MatrixBuilt &built : builds)
    llvm::append_range(all, built.judgements);
  return all;
}

} // namespace cudacc::commands
