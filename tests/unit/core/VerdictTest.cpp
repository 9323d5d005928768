// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Verdict.h"
#include <gtest/gtest.h>

using namespace cudacc::core;

namespace {

Verdict verdict(std::initializer_list<std::pair<Code, Severity>> findings) {
  Verdict result;
  for (auto [code, severity] : findings) {
    Finding finding;
    finding.code = code;
    finding.severity = severity;
    result.add(std::move(finding));
  }
  return result;
}

} // namespace

TEST(Verdict, NothingFoundIsAccepted) {
  EXPECT_EQ(verdict({}).outcome(), Outcome::Accept);
  EXPECT_EQ(verdict({}).exit(), Exit::Ok);
}

TEST(Verdict, WarningsAndRemarksAccept) {
  Verdict mild = verdict(
      {{Code::RunpathOverridable, Severity::Warning}, {Code::NoEvidence, Severity::Remark}});
  EXPECT_EQ(mild.outcome(), Outcome::Accept);
  EXPECT_EQ(mild.exit(), Exit::Ok);
}

// F8: 3 takes precedence over 4.
TEST(Verdict, RejectOutranksUnknown) {
  Verdict both =
      verdict({{Code::EvidenceConflict, Severity::Error}, {Code::TargetNewer, Severity::Error}});
  EXPECT_EQ(both.outcome(), Outcome::Reject);
  EXPECT_EQ(both.exit(), Exit::Rejected);
}

TEST(Verdict, UnknownIsNeverAccepted) {
  Verdict unknown = verdict({{Code::ToolkitVersionUnknown, Severity::Error}});
  EXPECT_EQ(unknown.outcome(), Outcome::Unknown);
  EXPECT_EQ(unknown.exit(), Exit::Undetermined);
}

// F8.
TEST(Verdict, StrictKnowsNoUnknown) {
  Verdict unknown = verdict({{Code::ToolkitVersionUnknown, Severity::Error}});
  EXPECT_EQ(unknown.exit(/*strict=*/true), Exit::Rejected);
  EXPECT_EQ(unknown.outcome(), Outcome::Unknown) << "it is called what it is";
  EXPECT_EQ(verdict({{Code::TargetNewer, Severity::Error}}).exit(true), Exit::Rejected);
  EXPECT_EQ(verdict({{Code::NoEvidence, Severity::Remark}}).exit(true), Exit::Ok);
  EXPECT_EQ(exitOf(unknown.findings[0], true), Exit::Rejected);
  EXPECT_EQ(exitOf(unknown.findings[0]), Exit::Undetermined);
  EXPECT_EQ(exitOf(verdict({{Code::BadValue, Severity::Error}}).findings[0], true), Exit::Usage);
}

TEST(Verdict, AppendKeepsTheOrder) {
  Verdict all = verdict({{Code::Group, Severity::Error}});
  all.append(verdict({{Code::TargetNewer, Severity::Error}}).findings);
  ASSERT_EQ(all.findings.size(), 2u);
  EXPECT_EQ(all.findings[1].code, Code::TargetNewer);
}

TEST(Verdict, WhatWasSaidAlreadyIsNotSaidAgain) {
  Finding finding;
  finding.code = Code::AbsolutePath;
  finding.message = "one";
  finding.facts.push_back({"entry", "/a"});
  Verdict verdict;
  verdict.append({finding, finding});
  verdict.append({finding});
  EXPECT_EQ(verdict.findings.size(), 1u);
  finding.facts[0].text = "/b";
  verdict.append({finding});
  EXPECT_EQ(verdict.findings.size(), 2u);
}
