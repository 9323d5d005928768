// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/coherence/Guard.h"
#include "tests/unit/policy/BinaryJudging.h"

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using cudacc::test::BinaryJudging;
using cudacc::test::extension;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {
struct JudgingLto : BinaryJudging {
  std::optional<LinkRecord> link;
  DeviceUnit::Home home = DeviceUnit::Home::Relocatable;

  std::vector<Code> with(const char *runtime, CudaVersion version, const char *toolkit = "") {
    BinaryFacts facts = extension({});
    DeviceImage image{ImageKind::LtoIr, Compression::Zstd, HasCode::No, true, {90, 0}, version};
    DeviceUnit unit;
    unit.home = home;
    unit.images = {image};
    facts.device.units = {unit};
    if (*toolkit)
      facts.manifest.objects = {{{"cuda-cc-0.1.0", toolkit, toolkit, ""}, 1}};
    if (link)
      facts.manifest.links = {*link};
    std::vector<Code> codes = judge(runtime, facts);
    llvm::erase(codes, Code::SummaryBroken);
    return codes;
  }
};
} // namespace

// V-PL-01, V-PL-02: consumer >= producer.
TEST_F(JudgingLto, newerLtoIrIsRefused) { // AV-E06, V-PL-01
  ASSERT_THAT(with("cuda==12.6", {1, 64}), ElementsAre(Code::LtoIrNewer));
  EXPECT_THAT(fact(findings[0], "LTO-IR"), HasSubstr("written by CUDA 12.8, 12.9"));
  EXPECT_THAT(fact(findings[0], "linker"), HasSubstr("nvidia-nvjitlink-cu12 12.6"));
  EXPECT_EQ(findings[0].library, "libnvJitLink.so.12");
  EXPECT_THAT(with("cuda==12.9", {1, 64}), IsEmpty());
  EXPECT_THAT(with("cuda==12.9", {1, 57}), IsEmpty());
}

TEST_F(JudgingLto, withoutNvJitLinkTheRuntimesVersionCounts) {
  Target target = targetOf("cuda==12.6");
  llvm::erase_if(target.libraries, [](const TargetLibrary &library) {
    return library.soname == "libnvJitLink.so.12";
  });
  BinaryFacts facts = extension({});
  facts.device.units.emplace_back();
  facts.device.units[0].home = home;
  facts.device.units[0].images = {
      {ImageKind::LtoIr, Compression::Zstd, HasCode::No, true, {90, 0}, {1, 64}}};
  ASSERT_THAT(judge(target, facts), ElementsAre(Code::LtoIrNewer));
  EXPECT_EQ(findings[0].library, "");
  EXPECT_EQ(fact(findings[0], "linker"), "nvJitLink of CUDA 12.6");
}

// V-PL-14: another major, older consumer.
TEST_F(JudgingLto, ltoIrOfANewerMajorIsRefused) { // AV-E06, V-PL-14
  EXPECT_THAT(with("cuda==12.9", {1, 65}), ElementsAre(Code::LtoIrNewer));
}

// V-PL-15: CUDA 11.
TEST_F(JudgingLto, ltoIrOfCuda11IsRefused) { // AV-E06, V-PL-15
  EXPECT_THAT(with("cuda==12.4", {1, 54}), ElementsAre(Code::LtoIrNewer));
  EXPECT_THAT(with("cuda==13.0", {1, 54}), ElementsAre(Code::LtoIrNewer));
}

// V-PL-03.
TEST_F(JudgingLto, ltoIrOfAnOlderMajorIsWarnedAbout) { // AV-W15, V-PL-03
  EXPECT_THAT(with("cuda==13.0", {1, 61}), ElementsAre(Code::LtoIrOlderMajor));
  EXPECT_EQ(outcome(), Outcome::Accept);
  EXPECT_THAT(with("cuda==13.0", {1, 65}), IsEmpty());
}

// V-PL-18: 12.4 and 12.5 both write 1.61; the record distinguishes them.
TEST_F(JudgingLto, aSharedNumberIsUnknownWithoutARecord) { // AV-U06, V-PL-18
  EXPECT_THAT(with("cuda==12.4", {1, 61}), ElementsAre(Code::LtoIrSeveralMinors));
  EXPECT_EQ(outcome(), Outcome::Unknown);
  EXPECT_THAT(with("cuda==12.4", {1, 61}, "12.4.131"), IsEmpty());
  EXPECT_THAT(with("cuda==12.4", {1, 61}, "12.5.82"), ElementsAre(Code::LtoIrNewer));
  EXPECT_THAT(with("cuda==12.5", {1, 61}), IsEmpty());
}

// Records identify the toolkit only if every object has one; a missing number is not zero.
TEST_F(JudgingLto, recordsOfSomeObjectsDetermineNothing) { // AV-U06
  link.emplace();
  link->unnoted = 0;
  EXPECT_THAT(with("cuda==12.4", {1, 61}, "12.4.131"), IsEmpty());
  link->unnoted = 1;
  EXPECT_THAT(with("cuda==12.4", {1, 61}, "12.4.131"), ElementsAre(Code::LtoIrSeveralMinors));
  link->unnoted.reset();
  EXPECT_THAT(with("cuda==12.4", {1, 61}, "12.4.131"), ElementsAre(Code::LtoIrSeveralMinors));
}

// The containers of other programs, such as those that link at run time.
TEST_F(JudgingLto, privateContainersAreNotJudged) { // FB-33
  EXPECT_THAT(with("cuda==12.4", {1, 64}), ElementsAre(Code::LtoIrNewer));
  home = DeviceUnit::Home::Elsewhere;
  EXPECT_THAT(with("cuda==12.4", {1, 64}), IsEmpty());
}

TEST_F(JudgingLto, anUnknownNumberIsUnknown) { // AV-U02
  EXPECT_THAT(with("cuda==13.5", {2, 99}), ElementsAre(Code::UnknownContainer));
  EXPECT_EQ(outcome(), Outcome::Unknown);
}

// PL-3: releases that nobody measured.
TEST(LtoIr, isTakenByTheRuleOutsideTheTables) { // PL-3
  using policy::takesLtoIr;
  EXPECT_TRUE(takesLtoIr({14, 1}, {14, 1}));
  EXPECT_TRUE(takesLtoIr({14, 1}, {14, 2}));
  EXPECT_FALSE(takesLtoIr({14, 2}, {14, 1}));
  EXPECT_TRUE(takesLtoIr({12, 99}, {13, 99}));
  EXPECT_FALSE(takesLtoIr({13, 99}, {12, 99}));
  EXPECT_FALSE(takesLtoIr({13, 99}, {14, 0}));
}

TEST_F(JudgingLto, theLinkerIsTheRuntimesOrThatOfItsLine) {
  ASSERT_THAT(with("cuda==12.6", {1, 64}), ElementsAre(Code::LtoIrNewer));
  EXPECT_EQ(findings[0].library, "libnvJitLink.so.12");
  ASSERT_THAT(with("cuda==11.8", {1, 64}), ElementsAre(Code::LtoIrNewer));
  EXPECT_EQ(findings[0].library, "");
  EXPECT_EQ(fact(findings[0], "linker"), "nvJitLink of CUDA 11.8");
}
