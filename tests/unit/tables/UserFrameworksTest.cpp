// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Diagnostic.h"
#include "driver/tables/lookup/UserTables.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::tables;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

// A release of jax that does not exist, and one of a framework whose libraries come from torch.
const std::string frameworkRows = R"({
 "schema": 1, "description": "made up", "tables": {"framework_targets": [
  {"framework": "jax", "version": "99.1", "versions": ["99.1", "99.2"], "cuda_major": "13",
   "cuda_min": "13.2", "cuda_max": null, "ctk": null, "pin_kind": "floor", "pins": [
    {"dist": "nvidia-cudnn-cu13", "spec": ">=9.12,<10.0", "kind": "direct", "floor": "9.12",
     "seen": [], "confidence": null},
    {"dist": "nvidia-cublas", "spec": ">=13.2.0.1", "kind": "direct", "floor": "13.2.0.1",
     "seen": [], "confidence": "secondary"},
    {"dist": "nvidia-cutlass-dsl", "spec": "==4.6.2", "kind": "direct", "floor": "4.6.2",
     "seen": [], "confidence": null}],
   "note": null, "source": "made up", "confidence": "verified"},
  {"framework": "vllm", "version": "99.0", "versions": ["99.0"], "cuda_major": "13",
   "cuda_min": null, "cuda_max": null, "ctk": null, "pin_kind": "built_with", "pins": [
    {"dist": "torch", "spec": "==2.13.0", "kind": "direct", "floor": "2.13.0", "seen": [],
     "confidence": null}],
   "note": null, "source": "made up", "confidence": "verified"}]}})";

std::string frameworkProblem(const std::string &piece, const std::string &other) {
  std::string text = frameworkRows;
  size_t at = text.find(piece);
  EXPECT_NE(at, std::string::npos) << piece;
  text.replace(at, piece.size(), other);
  auto tables = readUserTables(text, "more.json");
  if (tables)
    return "none";
  core::Finding finding = core::toFinding(tables.takeError());
  std::string said = core::str(finding.code) + " " + finding.message;
  for (const core::Fact &fact : finding.facts)
    said += "; " + fact.label + ": " + fact.text;
  return said;
}

FrameworkName frameworkCalled(llvm::StringRef name, llvm::StringRef extra) {
  for (const FrameworkName &each : frameworksCalled(name))
    if (extra.empty() || llvm::is_contained(each.extras, extra))
      return each;
  ADD_FAILURE() << name.str();
  return {};
}

} // namespace

TEST(UserFrameworks, addReleasesBehindTheKnownOnes) { // F16
  auto more = readUserTables(frameworkRows, "more.json");
  ASSERT_TRUE(bool(more));
  auto runs = frameworkRuns(frameworkCalled("jax", "cuda13"), &*more);
  ASSERT_EQ(runs.size(), frameworkRuns(frameworkCalled("jax", "cuda13")).size() + 1);
  const FrameworkRun &run = runs.back();
  EXPECT_EQ(run.first, "99.1");
  EXPECT_THAT(run.read, ElementsAre("99.1", "99.2"));
  EXPECT_EQ(run.from.str(), "13.2");
  EXPECT_EQ(run.to, toolkitLines().back());
  EXPECT_EQ(run.kind, FrameworkPins::Floor);
  EXPECT_TRUE(run.requiresCuda);
  auto pins = frameworkPins(run);
  ASSERT_EQ(pins.size(), 2u); // cutlass brings no library of the runtime's
  EXPECT_EQ(pins[0].dist, "nvidia-cublas");
  EXPECT_EQ(pins[0].confidence, Confidence::Secondary);
  EXPECT_EQ(pins[1].floor, "9.12.0.46"); // the oldest wheel that satisfies it
  EXPECT_EQ(pins[1].confidence, Confidence::Verified);
  EXPECT_TRUE(pins[1].floats);
}

TEST(UserFrameworks, areOfTheirMajorOnly) { // F16
  auto more = readUserTables(frameworkRows, "more.json");
  ASSERT_TRUE(bool(more));
  EXPECT_EQ(frameworkRuns(frameworkCalled("jax", "cuda12"), &*more).size(),
            frameworkRuns(frameworkCalled("jax", "cuda12")).size());
  EXPECT_EQ(frameworkRuns(frameworkCalled("vllm", ""), &*more).back().torch, "==2.13.0");
}

TEST(UserFrameworks, saidAgainAddsNothing) { // F16
  std::string known = R"({"schema": 1, "tables": {"framework_targets": [
   {"framework": "cudss", "version": "1.0.0.35", "versions": ["1.0.0.35"], "cuda_major": "13",
    "cuda_min": null, "cuda_max": null, "ctk": null, "pin_kind": "floor", "pins": [
     {"dist": "nvidia-cublas", "spec": "==13.*", "kind": "direct", "floor": "13", "seen": [],
      "confidence": null},
     {"dist": "nvidia-cuda-nvrtc", "spec": "==13.*", "kind": "direct", "floor": "13", "seen": [],
      "confidence": null},
     {"dist": "cuda-toolkit", "spec": "==13.*", "kind": "direct", "floor": "13", "seen": [],
      "confidence": null}],
    "note": null, "source": "made up", "confidence": "verified"}]}})";
  auto same = readUserTables(known, "more.json");
  ASSERT_TRUE(bool(same)) << core::toFinding(same.takeError()).message;
  EXPECT_TRUE(same->frameworks.empty());
  known.replace(known.find("==13.*\", \"kind\": \"direct\", \"floor\": \"13\", \"seen\": [],\n"),
                strlen("==13.*"), ">=13.1");
  auto other = readUserTables(known, "more.json");
  ASSERT_FALSE(bool(other));
  core::Finding finding = core::toFinding(other.takeError());
  EXPECT_EQ(finding.code, core::Code::BrokenFacts) << "13 is no >=13.1";
  known.replace(known.find("\"floor\": \"13\""), strlen("\"floor\": \"13\""),
                "\"floor\": \"13.1\"");
  auto third = readUserTables(known, "more.json");
  ASSERT_FALSE(bool(third));
  EXPECT_EQ(core::toFinding(third.takeError()).code, core::Code::FactsContradict);
}

TEST(UserFrameworks, brokenRowsAreNamed) {
  EXPECT_EQ(frameworkProblem("made up", "made up"), "none");
  EXPECT_THAT(frameworkProblem("\"jax\"", "\"jaxx\""),
              HasSubstr("no framework is called jaxx for CUDA 13"));
  EXPECT_THAT(frameworkProblem("\"13\"", "\"x\""), HasSubstr("\"x\" is not one number"));
  EXPECT_THAT(frameworkProblem("\"13.2\"", "\"12.2\""), HasSubstr("do not fit together"));
  EXPECT_THAT(frameworkProblem("\"99.2\"", "\"99.1\""), HasSubstr("is not newer"));
  EXPECT_THAT(frameworkProblem("\"99.0\"]", "\"99.0\", \"99.0\"]"), HasSubstr("is not newer"));
  EXPECT_THAT(frameworkProblem("\"99.1\", \"99.2\"]", "\"99.1\", \"99.1.0\"]"),
              HasSubstr("is not newer"));
  EXPECT_THAT(frameworkProblem("\"floor\", \"pins\"", "\"flour\", \"pins\""),
              HasSubstr("unknown pin_kind \"flour\""));
  EXPECT_THAT(frameworkProblem(">=9.12,<10.0", ">=9.13"), HasSubstr("9.12 does not satisfy"));
  EXPECT_THAT(frameworkProblem(">=9.12,<10.0", "9.12"), HasSubstr("is not a specifier"));
  EXPECT_THAT(frameworkProblem("nvidia-cublas", "NVIDIA-cublas"), HasSubstr("normal form"));
  EXPECT_THAT(frameworkProblem("nvidia-cublas", "nvidia-cudnn-cu13"), HasSubstr("appears twice"));
  EXPECT_THAT(frameworkProblem("\"ctk\": null", "\"ctk\": \"13.99.0\""),
              HasSubstr("the toolkit release 13.99.0 has no row"));
  EXPECT_THAT(frameworkProblem("\"ctk\": null", "\"ctk\": \"13.0.0\""),
              HasSubstr("13.0.0 is not a CUDA 13.2"));
}
