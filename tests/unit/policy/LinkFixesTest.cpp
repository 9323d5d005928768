// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/policy/LinkQuestions.h"

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::test;
using policy::chooseLinker;
using policy::comparePolicies;
using policy::LinkQuestion;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

static std::vector<std::string> fixes(const LinkQuestion &question) {
  return fixesOf(chooseLinker(question));
}

TEST(LinkFixes, nameTheWheelThatIsNewEnough) {
  EXPECT_THAT(fixes(linkQuestion("13.0", "12.8", {"ltoir 12.9"})),
              ElementsAre("pip install 'nvidia-nvjitlink-cu12>=12.9,<13'",
                          "link with --for env:PATH, an environment that has it",
                          "compile ltoir.o with a CUDA 12 toolkit <= 12.8",
                          "compile machine code instead of LTO-IR (without -dlto)"));
  // None is there: the major of the LTO-IR decides, then that of the driver.
  EXPECT_THAT(fixes(linkQuestion("13.0", "", {"ltoir 12.4"})),
              Contains("pip install 'nvidia-nvjitlink-cu12>=12.4,<13'"));
  EXPECT_THAT(fixes(linkQuestion("13.0", "", {"ltoir -"})),
              Contains("pip install 'nvidia-nvjitlink>=13.0,<14'"));
}

// A runtime without nvJitLink takes one of its major that is not newer.
TEST(LinkFixes, nameTheWheelOfTheDeclaredRuntime) {
  LinkQuestion question = linkQuestion("", "", {"ptx 12.3"});
  question.needsNvJitLink = true;
  question.nvJitLink.wanted = {12, 4};
  EXPECT_THAT(fixes(question), Contains("pip install 'nvidia-nvjitlink-cu12>=12.3,<12.5'"));
  question.nvJitLink.wanted = {12, 2};
  EXPECT_THAT(fixes(question), Not(Contains(HasSubstr("pip install"))));
}

// A wheel whose output the driver would not load is no fix.
TEST(LinkFixes, areTriedWithTheDriver) {
  LinkQuestion ptx = linkQuestion("12.4", "", {"ltoir 12.3"});
  ptx.driver = deployment("12.4", "550.54.14");
  ptx.emitsPtx = ptx.needsNvJitLink = true;
  EXPECT_THAT(fixes(ptx), Contains("pip install 'nvidia-nvjitlink-cu12>=12.3,<12.5'"));
  ptx.emitsPtx = false;
  EXPECT_THAT(fixes(ptx), Contains("pip install 'nvidia-nvjitlink-cu12>=12.3,<13'"));
  // CUDA 11 has no nvJitLink, and no other serves its driver.
  EXPECT_THAT(fixes(linkQuestion("11.8", "12.9", {"ltoir 12.9"})),
              Not(Contains(HasSubstr("pip install"))));
}

// 12.0 to 12.2 count as absent: without them the driver would link, with them it would, too.
TEST(LinkFixes, nameNoWheelThatIsTooOldToLink) {
  LinkQuestion newer = linkQuestion("", "12.9", {"cubin 13.5"});
  newer.needsNvJitLink = true;
  EXPECT_THAT(fixes(newer), Contains("pip install 'nvidia-nvjitlink>=13.5,<14'"));
  newer.needsNvJitLink = false;
  EXPECT_THAT(fixes(newer), Not(Contains(HasSubstr("<12.3"))));
}

TEST(LinkFixes, nameTheDriverThatIsNewEnough) {
  EXPECT_THAT(fixes(linkQuestion("12.8", "13.0", {"ltoir 13.0"})),
              Contains("declare driver>=580.65.06, where the machines have it"));
  // V-LI-15: the driver that translates PTX ISA 8.5.
  EXPECT_THAT(fixes(linkQuestion("12.4", "", {"ptx 12.5"})),
              Contains("declare driver>=555.42.02, where the machines have it"));
}

// An older driver takes neither what a newer nvJitLink emits nor newer LTO-IR.
TEST(LinkFixes, nameToolkitAndNvJitLinkTogetherIfNeitherIsEnough) {
  EXPECT_THAT(fixes(linkQuestion("12.8", "13.0", {"ltoir 13.0"})),
              Contains("compile ltoir.o with a CUDA 12 toolkit <= 12.8, and pip install "
                       "'nvidia-nvjitlink-cu12>=12.8,<13'"));
  EXPECT_THAT(fixes(linkQuestion("12.8", "13.0", {"ltoir 12.8"})),
              Not(Contains(HasSubstr(", and pip install"))));
}

TEST(LinkFixes, forLtoThatWasOnlyAskedFor) {
  LinkQuestion lto = linkQuestion("13.0", "", {"cubin 12.9"});
  lto.needsNvJitLink = true;
  EXPECT_THAT(fixes(lto), Contains("link without --lto"));
  lto.emitsPtx = true;
  EXPECT_THAT(fixes(lto), Contains("link with --emit cubin and without --lto"));
}

TEST(LinkFixes, thePolicyIsOneIfTheOtherOneAccepts) {
  LinkQuestion strict = linkQuestion("13.0", "12.9", {"ltoir 12.9"});
  strict.policy = LinkPolicy::CudaCore1911;
  EXPECT_THAT(fixes(strict), Contains("link under the policy direction-aware, the default"));
  strict.driver = deployment("12.8");
  strict.nvJitLink = nvJitLinkOf("13.0");
  EXPECT_THAT(fixes(strict), Not(Contains(HasSubstr("direction-aware"))));
}

TEST(LinkFixes, anAcceptedLinkHasNone) {
  EXPECT_THAT(fixes(linkQuestion("13.0", "13.0", {"ltoir 12.9"})), IsEmpty());
}

// The fix that the driver links does not depend on what the nvJitLink would have written.
TEST(LinkFixes, withoutLtoTheDriverLinks) {
  LinkQuestion lto = linkQuestion("12.8", "13.0", {"cubin 12.8"});
  lto.needsNvJitLink = true;
  EXPECT_THAT(fixes(lto), Contains("link without --lto"));
}

// No driver loads LTO-IR, so an old one forbids none, and one that is not there forbids nothing.
TEST(LinkFixes, areNotTriedWithADriverThatDoesNotMatter) {
  LinkQuestion emitting = linkQuestion("12.8", "13.3", {"ltoir 13.0"});
  emitting.forced = LinkBackend::NvJitLink;
  emitting.emitsLtoIr = true;
  EXPECT_THAT(fixes(emitting), Contains("pip install 'nvidia-nvjitlink>=13.4,<14'"));
  LinkQuestion absent = linkQuestion("", "", {"ltoir 12.9"});
  absent.driver.state = policy::DriverFacts::State::Absent;
  absent.driver.declared = true;
  EXPECT_THAT(fixes(absent), Contains("pip install 'nvidia-nvjitlink-cu12>=12.9,<13'"));
}

TEST(LinkFixes, aWheelOfTheDriversMajorUnlessLtoIrNeedsAnother) {
  LinkQuestion lto = linkQuestion("13.0", "", {"cubin 12.4"});
  lto.needsNvJitLink = true;
  EXPECT_THAT(fixes(lto), Contains("pip install 'nvidia-nvjitlink>=13.0,<14'"));
}

TEST(LinkFixes, noDriverHelpsWhereNvJitLinkIsTooOld) {
  EXPECT_THAT(fixes(linkQuestion("12.8", "12.8", {"ltoir 12.9"})),
              ElementsAre("pip install 'nvidia-nvjitlink-cu12>=12.9,<13'",
                          "link with --for env:PATH, an environment that has it",
                          "compile ltoir.o with a CUDA 12 toolkit <= 12.8"));
}

TEST(LinkFixes, noToolkitIsAsOldAsADriverOfUnknownCuda) {
  LinkQuestion old = linkQuestion("", "", {"cubin 12.4"});
  old.driver.state = policy::DriverFacts::State::Known;
  old.driver.release = "390.46";
  EXPECT_THAT(fixes(old), Not(Contains(HasSubstr("toolkit <="))));
}

TEST(LinkFixes, nameTheInputsThatDoNotFit) {
  EXPECT_THAT(fixes(linkQuestion("13.0", "12.8", {"ltoir 12.9", "cubin 12.4"})),
              Contains("compile ltoir.o with a CUDA 12 toolkit <= 12.8"));
  EXPECT_THAT(fixes(linkQuestion("", "12.8", {"ltoir 12.9", "cubin 12.9", "ptx 12.9"})),
              Contains("compile ltoir.o, cubin.o, ptx.o with a CUDA 12 toolkit <= 12.8"));
}

TEST(LinkFixes, machineCodeWithoutLto) {
  LinkQuestion lto = linkQuestion("13.0", "12.8", {"ltoir 12.9"});
  lto.needsNvJitLink = true;
  EXPECT_THAT(fixes(lto), Contains("compile machine code instead of LTO-IR (without -dlto), and "
                                   "link without --lto"));
  lto.emitsPtx = true;
  EXPECT_THAT(fixes(lto), Contains("compile machine code instead of LTO-IR (without -dlto), and "
                                   "link with --emit cubin and without --lto"));
}

// Whether it takes what the inputs are, nobody knows.
TEST(LinkFixes, noDriverThatIsNotKnownLinksInstead) {
  EXPECT_THAT(fixes(linkQuestion("", "12.4", {"cubin 12.9"})),
              Not(Contains("link with --backend driver")));
}

TEST(LinkFixes, belongToErrors) {
  LinkQuestion old = linkQuestion("12.4", "", {"ltoir 12.4"});
  old.nvJitLink.state = policy::NvJitLinkFacts::State::TooOld;
  auto choice = chooseLinker(old);
  ASSERT_EQ(choice.findings.size(), 2u);
  EXPECT_EQ(choice.findings[0].severity, Severity::Warning);
  EXPECT_THAT(choice.findings[0].fixes, IsEmpty());
  EXPECT_THAT(choice.findings[1].fixes, Not(IsEmpty()));
}

TEST(LinkPolicies, differForADriverThatIsNewer) { // LD-7
  auto lto = comparePolicies(linkQuestion("13.0", "12.9", {"ltoir 12.9"}));
  EXPECT_EQ(resultOf(lto.directionAware), "nvjitlink");
  EXPECT_EQ(resultOf(lto.cudaCore1911), "E_LTO_MAJOR_MISMATCH");
  EXPECT_EQ(lto.difference,
            "direction-aware takes nvJitLink: a newer driver loads what an older nvJitLink emits; "
            "cuda-core-1911 refuses the link (CC5003): it compares majors for equality");
  auto plain = comparePolicies(linkQuestion("13.0", "12.9", {"cubin 12.9"}));
  EXPECT_THAT(plain.difference, AllOf(HasSubstr("direction-aware takes nvJitLink"),
                                      HasSubstr("cuda-core-1911 takes the driver")));
}

TEST(LinkPolicies, differInTheCodeForADriverThatIsOlder) { // LD-7
  EXPECT_THAT(comparePolicies(linkQuestion("12.8", "13.0", {"ltoir 13.0"})).difference,
              AllOf(HasSubstr("(CC5002): an older driver may not load"), HasSubstr("(CC5003)")));
}

TEST(LinkPolicies, differInWhatInputsDecide) { // LI-6
  auto both = comparePolicies(linkQuestion("13.0", "13.0", {"library 13.1"}));
  EXPECT_EQ(resultOf(both.directionAware), "E_INPUT_NEWER");
  EXPECT_EQ(resultOf(both.cudaCore1911), "nvjitlink");
  EXPECT_THAT(both.difference, HasSubstr("compares the versions of the inputs"));
  // The warning about nvJitLink is not what refuses.
  policy::LinkQuestion old = linkQuestion("12.8", "", {"cubin 12.9"});
  old.nvJitLink.state = policy::NvJitLinkFacts::State::TooOld;
  EXPECT_THAT(comparePolicies(old).difference, HasSubstr("refuses the link (CC5004)"));
}

TEST(LinkPolicies, agreeOtherwise) {
  EXPECT_EQ(comparePolicies(linkQuestion("12.4", "12.9", {"ltoir 12.9"})).difference, "");
  EXPECT_EQ(comparePolicies(linkQuestion("", "12.9", {"ltoir 12.9"})).difference, "");
  EXPECT_EQ(comparePolicies(linkQuestion("12.8", "", {"ltoir 12.8"})).difference, "");
  LinkQuestion forced = linkQuestion("13.0", "12.9", {"ltoir 12.9"});
  forced.forced = LinkBackend::NvJitLink;
  EXPECT_EQ(comparePolicies(forced).difference, "");
}
