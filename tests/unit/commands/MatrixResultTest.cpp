// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/matrix/MatrixResult.h"
#include "driver/report/json/Json.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::commands;
using testing::ElementsAre;
using testing::SizeIs;

namespace {

Judgement judged(std::string runtime, std::optional<Code> code = {}) {
  Judgement judgement;
  judgement.path = "x.so";
  judgement.runtime = std::move(runtime);
  judgement.line = {12, 4};
  if (code)
    judgement.verdict.add(makeFinding(*code, "because"));
  return judgement;
}

/// Two builds for two Pythons each.
struct Matrix : testing::Test {
  FoundMatrix found;
  MatrixResult result;

  Matrix() {
    for (const char *name : {"cuda==12.4", "cuda==13.0"}) {
      found.runtimes.emplace_back().name = name;
      found.plan.inputs.runtimes.push_back({name, "", {}});
    }
    found.plan.inputs.toolkits = {{"/a", {12, 4}}, {"/b", {13, 0}}};
    result.found = &found;
    result.runtimes = {0, 1};
  }
  MatrixBuilt &build(unsigned toolkit, std::string python = "") {
    plan::MatrixBuild build{toolkit, std::move(python), {toolkit}, toolkit};
    found.plan.builds.push_back(build);
    MatrixBuilt &built = result.builds.emplace_back();
    built.name = found.plan.nameOf(build);
    built.state = MatrixBuilt::State::Built;
    return built;
  }
};

TEST_F(Matrix, aRuntimeNeedsOneAcceptedBuild) {
  build(0).judgements = {judged("cuda==12.4"), judged("cuda==13.0", Code::NotFound)};
  build(1).judgements = {judged("cuda==12.4", Code::NotFound), judged("cuda==13.0")};
  EXPECT_EQ(result.outcome(0, 1), Outcome::Reject);
  EXPECT_EQ(result.outcome(0), Outcome::Accept);
  EXPECT_EQ(result.outcome(), Outcome::Accept);
  // The worst file of a build counts.
  result.builds[0].judgements.push_back(judged("cuda==12.4", Code::ImportMissing));
  const Finding *decisive = nullptr;
  EXPECT_EQ(result.outcome(0, 0, &decisive), Outcome::Reject);
  EXPECT_EQ(decisive->code, Code::ImportMissing);
  EXPECT_EQ(result.outcome(), Outcome::Reject);
}

TEST_F(Matrix, aFailedBuildIsUnknownForItsRuntimes) {
  MatrixBuilt &failed = build(0);
  failed.state = MatrixBuilt::State::Failed;
  failed.problem = makeFinding(Code::MatrixBuildFailed, "it failed");
  build(1).judgements = {judged("cuda==12.4", Code::NotFound), judged("cuda==13.0")};
  EXPECT_EQ(result.outcome(0u, 0u), std::nullopt);
  EXPECT_EQ(result.outcome(0), Outcome::Unknown);
  EXPECT_EQ(result.outcome(1), Outcome::Accept);
  EXPECT_EQ(result.outcome(), Outcome::Unknown);
  EXPECT_THAT(result.problems(), SizeIs(1));
}

TEST_F(Matrix, eachPythonNeedsABuild) {
  build(0, "3.11").judgements = {judged("cuda==12.4")};
  build(0, "3.12").judgements = {judged("cuda==12.4", Code::BrokenBinary)};
  EXPECT_EQ(result.outcome(0), Outcome::Unknown);
  result.builds[1].judgements = {judged("cuda==12.4")};
  EXPECT_EQ(result.outcome(0), Outcome::Accept);
}

TEST_F(Matrix, aFailedTestRejects) {
  MatrixBuilt &built = build(0);
  built.judgements = {judged("cuda==12.4")};
  built.failedTests[0] = makeFinding(Code::MatrixTestFailed, "it failed");
  EXPECT_EQ(result.outcome(0), Outcome::Reject);
  // Another build that loads there does not outweigh it.
  build(1).judgements = {judged("cuda==12.4")};
  EXPECT_EQ(result.outcome(0), Outcome::Reject);
}

TEST_F(Matrix, aFailedBuildShowsInTheStatus) {
  build(0).judgements = {judged("cuda==12.4"), judged("cuda==13.0")};
  EXPECT_EQ(result.outcome(), Outcome::Accept);
  build(1).problem = makeFinding(Code::MatrixBuildFailed, "it failed");
  EXPECT_EQ(result.outcome(1), Outcome::Accept);
  EXPECT_EQ(result.outcome(), Outcome::Unknown);
}

TEST_F(Matrix, aRuntimeWithoutToolkit) {
  plan::UnservedRuntime unserved{1, {}};
  unserved.verdicts.emplace_back().add(makeFinding(Code::TargetMajor, "major"));
  unserved.verdicts.emplace_back().add(makeFinding(Code::TargetNewer, "newer"));
  found.plan.unserved = {unserved};
  found.runtimes[1].target.line = {13, 0};
  build(0).judgements = {judged("cuda==12.4"), judged("cuda==13.0", Code::NotFound)};
  EXPECT_EQ(result.outcome(1), Outcome::Reject);
  ASSERT_THAT(result.problems(), SizeIs(1));
  EXPECT_EQ(result.problems()[0].code, Code::TargetNewer);
  // Its symbols may fit nevertheless.
  result.builds[0].judgements[1] = judged("cuda==13.0");
  EXPECT_EQ(result.outcome(1), Outcome::Accept);
  EXPECT_THAT(result.problems(), SizeIs(0));
}

TEST(ReadJudgements, readsWhatCheckPrints) {
  Judgement bad = judged("cuda==12.4", Code::NvJitLinkNewer);
  Finding &finding = bad.verdict.findings.front();
  finding.library = "libnvJitLink.so.12";
  finding.symbol = "__nvJitLinkCreate_12_5";
  finding.addFact("needs", "12.5");
  finding.addFix("raise it");
  Finding remark = makeFinding(Code::StableAbi, "remark");
  bad.verdict.add(remark);
  LibraryFloor floor;
  floor.soname = "libnvJitLink.so.12";
  floor.least = *versions::Version::parse("12.5.40");
  floor.cuda = {12, 5};
  bad.floor = {floor};
  bad.excludedBy = {"torch==2.14.0"};
  std::vector<Judgement> all = {bad, judged("cuda==13.0")};
  std::string text = report::print(report::toJson(all, {}));
  auto read = readJudgements(text);
  ASSERT_TRUE(read);
  EXPECT_EQ(report::print(report::toJson(*read, {})), text);
}

TEST(ReadJudgements, refusesWhatIsNone) {
  EXPECT_FALSE(readJudgements(""));
  EXPECT_FALSE(readJudgements("[]"));
  EXPECT_FALSE(readJudgements("{\"schema\": 1}"));
  EXPECT_FALSE(readJudgements(R"({"files": [{"path": "x", "verdict": "accept",
                                  "findings": [{"code": "CC9999", "severity": "error"}]}]})"));
  // A verdict that its findings do not have.
  EXPECT_FALSE(
      readJudgements(R"({"files": [{"path": "x", "verdict": "reject", "findings": []}]})"));
  EXPECT_TRUE(readJudgements(R"({"files": []})"));
}

} // namespace
