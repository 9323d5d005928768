// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/policy/BinaryJudging.h"

using namespace cudacc;
using namespace cudacc::core;
using cudacc::test::BinaryJudging;
using cudacc::test::extension;
using cudacc::test::import;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {
struct JudgingIntegrity : BinaryJudging {
  BinaryFacts facts = extension({import("libcudart.so.12", "cudaMalloc")});

  static LinkRecord record(const char *cuda, const char *spec) {
    LinkRecord link;
    link.targetCuda = cuda;
    link.targetSpec = spec;
    return link;
  }
  void seal(std::vector<LinkRecord> links) {
    facts.manifest.links = std::move(links);
    SummaryRecord summary;
    summary.flags = SummaryRecord::Sealed;
    facts.manifest.summaries.assign(facts.manifest.links.size(), summary);
    facts.manifest.sealed = true;
  }
};
} // namespace

// F8: the manifest's target is not compared with the declared one; contradicting records are
// errors.
TEST_F(JudgingIntegrity, contradictingLinkRecordsAreRefused) { // AV-E08, AV-W10
  seal({record("12.6", "torch==2.7.1")});
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
  seal({record("12.4", "cuda==12.4"), record("12.4", "cuda==12.4")});
  EXPECT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::SeveralLinkRecords));
  EXPECT_EQ(outcome(), Outcome::Accept);
  facts.manifest.links[0].targetLibs["libcudart.so.12"] = "12.4.127";
  facts.manifest.links[1].targetLibs["libnvJitLink.so.12"] = "12.4.127";
  EXPECT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::SeveralLinkRecords));
  facts.manifest.links[1].targetLibs["libcudart.so.12"] = "12.4.99";
  EXPECT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::ConflictingTargets));
  seal({record("12.4", "cuda==12.4"), record("12.6", "cuda==12.6")});
  EXPECT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::ConflictingTargets));
  EXPECT_EQ(outcome(), Outcome::Reject);
  seal({record("12.4", "cuda==12.4"), record("12.4", "torch==2.5.1")});
  EXPECT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::ConflictingTargets));
}

// F2: killed before sealing; at the link itself, sealing follows.
TEST_F(JudgingIntegrity, anUnsealedLinkIsRefused) { // F2
  seal({record("12.4", "cuda==12.4")});
  facts.manifest.summaries[0].flags = 0;
  facts.manifest.sealed = false;
  EXPECT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::Unsealed));
  input.atLink = true;
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
}

// RD-7.
TEST_F(JudgingIntegrity, anInPlaceBuildIsRefusedInAWheel) { // F18
  BinaryFacts facts = extension({});
  facts.manifest.links = {record("12.4", "cuda==12.4")};
  facts.manifest.links[0].develop = true;
  facts.manifest.sealed = true;
  facts.manifest.summaries.resize(1);
  judge("cuda==12.4", facts);
  EXPECT_EQ(find(Code::DevelopBuild), nullptr);
  facts.path = "dist/x.whl!pkg/ext.so";
  judge("cuda==12.4", facts);
  EXPECT_NE(find(Code::DevelopBuild), nullptr);
  facts.manifest.links[0].develop = false;
  judge("cuda==12.4", facts);
  EXPECT_EQ(find(Code::DevelopBuild), nullptr);
}

TEST_F(JudgingIntegrity, aDamagedManifestIsAHintOnly) { // AV-W12, RD-7
  seal({record("12.4", "cuda==12.4")});
  facts.manifest.sealed = false;
  EXPECT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::SummaryBroken));
  seal({record("12.4", "cuda==12.4")});
  facts.manifest.summaries[0].crcValid = false;
  EXPECT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::SummaryBroken));
  seal({record("12.4", "cuda==12.4")});
  facts.manifest.problems = {"a link record: duplicate key"};
  ASSERT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::SummaryBroken));
  EXPECT_EQ(fact(findings[0], "problem"), "a link record: duplicate key");
}

// RD-4.
TEST_F(JudgingIntegrity, aNoteInNoSegment) { // AV-W11
  seal({record("12.4", "cuda==12.4")});
  facts.manifest.onlyInSections = true;
  EXPECT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::NoteOutsideSegment));
  facts.kind = BinaryKind::Relocatable;
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
}

// AV-E09: at the link according to the mode, in a check a remark (F8).
TEST_F(JudgingIntegrity, recordsOfANewerToolkit) { // AV-E09, AV-W01
  facts.manifest.objects = {{{"cuda-cc-0.1.0", "12.5.82", "12.5", "gcc-12.2.0"}, 3}};
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
  ASSERT_NE(find(Code::RecordNewer), nullptr);
  EXPECT_EQ(find(Code::RecordNewer)->message,
            "3 objects compiled with CUDA 12.5, runtime CUDA 12.4");
  EXPECT_EQ(find(Code::RecordNewer)->severity, Severity::Remark);
  EXPECT_THAT(find(Code::RecordNewer)->fixes, IsEmpty());
  input.atLink = true;
  EXPECT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::RecordNewer));
  EXPECT_THAT(findings[0].fixes, testing::Contains("use a CUDA toolkit <= 12.4"));
  EXPECT_EQ(outcome(), Outcome::Reject);
  // V-TG-13: all names are there.
  EXPECT_THAT(judge(targetOf("cuda==12.4", Enforce::Symbols), facts),
              ElementsAre(Code::NewerButUnused));
  EXPECT_EQ(outcome(), Outcome::Accept);
  // V-TG-11: one name is missing, and its own finding reports that.
  facts.imports.push_back(import("libcudart.so.12", "cudaGetDriverEntryPointByVersion"));
  EXPECT_THAT(judge(targetOf("cuda==12.4", Enforce::Symbols), facts),
              ElementsAre(Code::ImportMissing));
  facts.imports.pop_back();
  // V-PL-19: another major is rejected in every mode.
  facts.manifest.objects[0].first.toolkit = "13.5.37";
  EXPECT_THAT(judge(targetOf("cuda==12.4", Enforce::Symbols), facts),
              ElementsAre(Code::RecordNewer));
  facts.manifest.objects[0].first = {"cuda-cc-0.1.0", "12.4.131", "12.4", ""};
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
}

// LK-9: for a library that we linked it is an error.
TEST_F(JudgingIntegrity, anExecutableStack) { // AV-E10
  facts.executableStack = true;
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
  EXPECT_NE(find(Code::ExecutableStack), nullptr);
  seal({record("12.4", "cuda==12.4")});
  EXPECT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::ExecutableStack));
  EXPECT_EQ(outcome(), Outcome::Reject);
  facts.kind = BinaryKind::Executable;
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
  EXPECT_NE(find(Code::ExecutableStack), nullptr);
  facts.kind = BinaryKind::Relocatable;
  judge("cuda==12.4", facts);
  EXPECT_EQ(find(Code::ExecutableStack), nullptr) << "the link decides";
  facts.kind = BinaryKind::SharedObject;
  facts.executableStack = false;
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
}

// F8: remarks.
TEST_F(JudgingIntegrity, noManifestAndDlopenAreRemarks) { // AV-U01, AV-U05, AV-I03, AV-I06
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
  EXPECT_EQ(find(Code::NoEvidence), nullptr);
  EXPECT_EQ(find(Code::DlopenWithoutMetadata), nullptr);
  facts.imports.push_back({"dlopen", "GLIBC_2.34", "libc.so.6", false});
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
  EXPECT_NE(find(Code::DlopenWithoutMetadata), nullptr);
  facts.dlopens = {"libnvrtc.so.12"};
  judge("cuda==12.4", facts);
  EXPECT_EQ(find(Code::DlopenWithoutMetadata), nullptr);
  EXPECT_NE(find(Code::DlopenMetadata), nullptr);
  facts = extension({});
  facts.staticCudart = true;
  judge("cuda==12.4", facts);
  EXPECT_NE(find(Code::StaticCudart), nullptr);
  EXPECT_EQ(find(Code::NoEvidence), nullptr);
  facts = extension({});
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
  EXPECT_NE(find(Code::NoEvidence), nullptr);
  input.atLink = true;
  judge("cuda==12.4", facts);
  EXPECT_EQ(find(Code::NoEvidence), nullptr) << "a link is silent if all is well";
  input.remarks = true;
  judge("cuda==12.4", facts);
  EXPECT_NE(find(Code::NoEvidence), nullptr);
}

TEST_F(JudgingIntegrity, whatCannotBeSeenIsUnknown) {
  facts.compilerIr = true;
  facts.kind = BinaryKind::Relocatable;
  EXPECT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::BrokenBinary));
  EXPECT_EQ(outcome(), Outcome::Unknown);
  facts = extension({import("libcudart.so.13", "x")});
  facts.notAudited = "32-bit ELF";
  ASSERT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::BrokenBinary));
  EXPECT_EQ(findings[0].message, "not audited: 32-bit ELF");
}

TEST_F(JudgingIntegrity, theManifestIsJudgedWithoutADeclarationToo) {
  seal({record("12.4", "cuda==12.4"), record("12.6", "cuda==12.6")});
  EXPECT_THAT(judge(Target{}, facts), ElementsAre(Code::ConflictingTargets));
}

TEST_F(JudgingIntegrity, recordsAreOlderThanNoRuntime) {
  facts.manifest.objects = {{{"cuda-cc-0.1.0", "12.5.82", "12.5", "gcc-12.2.0"}, 3}};
  judge(Target{}, facts);
  EXPECT_EQ(find(Code::RecordNewer), nullptr);
}
