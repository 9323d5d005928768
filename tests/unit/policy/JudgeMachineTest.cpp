// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/Judge.h"
#include "tests/unit/policy/BinaryJudging.h"
#include "tests/unit/resolve/Resolving.h"

using namespace cudacc;
using namespace cudacc::core;
using test::codesOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

constexpr uint16_t emAmd = 62, emArm = 183;

struct JudgeMachine : test::BinaryJudging {
  /// The environment's libraries are for \p machine.
  static Target environmentOf(uint16_t machine, Enforce enforce = Enforce::Toolkit) {
    Target target = targetOf("cuda==13.0", enforce);
    target.machine = machine;
    target.sitePackages = {"/v/site-packages"};
    return target;
  }
  static BinaryFacts fileOf(uint16_t machine) {
    BinaryFacts facts = test::extension({test::import("libcudart.so.13", "cudaMalloc")});
    facts.machine = machine;
    return facts;
  }
  static std::vector<LinkedLibrary> linked() {
    LinkedLibrary library;
    library.soname = "libcudart.so.13";
    return {library};
  }
};

} // namespace

// LS-17: the loader skips every library of such an environment. There is no other finding.
TEST_F(JudgeMachine, aFileForAnotherMachineThanTheEnvironmentsIsRejected) {
  Target target = environmentOf(emAmd);
  rowOf(target, "libcudart.so.13").path = "/v/site-packages/nvidia/cu13/lib/libcudart.so.13";
  EXPECT_THAT(judge(target, fileOf(emArm)), ElementsAre(Code::OtherMachine));
  EXPECT_EQ(outcome(), Outcome::Reject);
  EXPECT_EQ(findings[0].message, "the file is for aarch64, the runtime for x86_64");
  EXPECT_EQ(fact(findings[0], "library"),
            "/v/site-packages/nvidia/cu13/lib/libcudart.so.13 is for x86_64");
  EXPECT_THAT(findings[0].fixes[0], HasSubstr("--platform manylinux2014_aarch64"));
  EXPECT_THAT(judge(environmentOf(emArm), fileOf(emAmd)), ElementsAre(Code::OtherMachine));
  EXPECT_THAT(labels(findings[0]), ElementsAre("runtime")) << "no library of it has a path";
}

TEST_F(JudgeMachine, oneForTheSameMachineIsNot) {
  EXPECT_THAT(judge(environmentOf(emArm), fileOf(emArm)), Not(Contains(Code::OtherMachine)));
  EXPECT_THAT(judge(environmentOf(emAmd), fileOf(emAmd)), Not(Contains(Code::OtherMachine)));
}

// Facts from tables apply to every machine.
TEST_F(JudgeMachine, aRuntimeOfNoMachineRejectsNone) {
  EXPECT_THAT(judge(environmentOf(0), fileOf(emArm)), Not(Contains(Code::OtherMachine)));
  EXPECT_THAT(judge("torch==2.11.0", fileOf(emArm)), Not(Contains(Code::OtherMachine)));
}

TEST_F(JudgeMachine, aFileWithoutCudaIsNotAsked) {
  BinaryFacts tool = test::extension({}, {"libc.so.6"});
  tool.machine = emArm;
  EXPECT_THAT(judge(environmentOf(emAmd), tool), Not(Contains(Code::OtherMachine)));
  tool.needed = {"libc10_cuda.so"};
  EXPECT_THAT(judge(environmentOf(emAmd), tool), ElementsAre(Code::OtherMachine));
}

TEST_F(JudgeMachine, aLinkOfCudaForAnotherMachineIsRefused) {
  EXPECT_THAT(codesOf(policy::judgeMachine(environmentOf(emArm), emAmd, linked())),
              ElementsAre(Code::OtherMachine));
  EXPECT_THAT(policy::judgeMachine(environmentOf(emArm), emArm, linked()), IsEmpty());
  EXPECT_EQ(policy::judgeMachine(environmentOf(emArm), emAmd, linked())[0].fixes.size(), 2u);
  constexpr uint16_t emPpc64 = 21;
  EXPECT_EQ(policy::judgeMachine(environmentOf(emArm), emPpc64, linked())[0].fixes.size(), 1u)
      << "no wheel has CUDA for it";
  // An unknown machine, as for a compiler that does not answer.
  EXPECT_THAT(policy::judgeMachine(environmentOf(emArm), 0, linked()), IsEmpty());
  EXPECT_THAT(policy::judgeMachine(environmentOf(0), emAmd, linked()), IsEmpty());
  // A program that runs during the build.
  EXPECT_THAT(policy::judgeMachine(environmentOf(emArm), emAmd, {}), IsEmpty());
}

TEST_F(JudgeMachine, modesHoldForItToo) { // MD-3
  EXPECT_THAT(policy::judgeMachine(environmentOf(emArm, Enforce::Off), emAmd, linked()), IsEmpty());
  auto warned = policy::judgeMachine(environmentOf(emArm, Enforce::Warn), emAmd, linked());
  ASSERT_THAT(codesOf(warned), ElementsAre(Code::OtherMachine));
  EXPECT_EQ(warned[0].severity, Severity::Warning);
}

static std::string torchMessageOn(const char *runtime, const char *machine) {
  Declaration declaration = test::declare({runtime});
  auto finding = policy::judgeTorch(declaration, machine, nullptr);
  if (!finding)
    return "";
  EXPECT_EQ(finding->severity, Severity::Warning);
  EXPECT_THAT(finding->fixes, Contains("torch>=2.11.0"));
  return finding->message;
}

// torch_platforms: PyPI's wheels for aarch64 have CUDA from 2.11 on.
TEST_F(JudgeMachine, aTorchWhoseWheelHasNoCudaThereIsNamed) {
  EXPECT_EQ(torchMessageOn("torch==2.10.0", "aarch64"),
            "torch 2.10.0 of PyPI has no CUDA for aarch64");
  EXPECT_EQ(torchMessageOn("torch>=2.9,<2.12", "aarch64"),
            "torch 2.10.0 of PyPI has no CUDA for aarch64");
}

TEST_F(JudgeMachine, oneThatHasIsNot) {
  for (const char *runtime :
       {"torch==2.11.0", "torch>=2.11,<2.14", "cuda==12.4", "env:/v", "torch==2.10.0+cu128"})
    EXPECT_EQ(torchMessageOn(runtime, "aarch64"), "") << runtime;
  EXPECT_EQ(torchMessageOn("torch==2.10.0", "x86_64"), "");
}

TEST_F(JudgeMachine, whatNoTagInstallsHereIsForAnotherMachine) {
  core::BinaryFacts file = fileOf(emArm);
  auto isRejected = [&](const char *tags) {
    auto finding = policy::judgeWheelName(fmt::format("x-1.0-cp311-cp311-{}.whl", tags), file);
    return finding && finding->code == Code::OtherMachine;
  };
  EXPECT_TRUE(isRejected("linux_x86_64"));
  EXPECT_TRUE(isRejected("manylinux2014_x86_64.manylinux_2_17_x86_64"));
  for (const char *tags : {"linux_aarch64", "any", "manylinux2014_x86_64.manylinux2014_aarch64",
                           "macosx_11_0_x86_64", "win_amd64"})
    EXPECT_FALSE(isRejected(tags)) << tags;
  file.kind = core::BinaryKind::Executable;
  EXPECT_TRUE(isRejected("linux_x86_64"));
  file.kind = core::BinaryKind::Relocatable;
  EXPECT_FALSE(isRejected("linux_x86_64")) << "nobody loads it";
  file = fileOf(21);
  EXPECT_FALSE(isRejected("linux_x86_64")) << "CUDA has none of it";
  EXPECT_FALSE(policy::judgeWheelName("x.whl", fileOf(emArm)));
}

TEST_F(JudgeMachine, thePlaceDecidesAndNoRequirementBehindIt) {
  auto isNamed = [](std::initializer_list<const char *> runtime) {
    return policy::judgeTorch(test::declare(runtime), "aarch64", nullptr).has_value();
  };
  EXPECT_TRUE(isNamed({"cuda==12.8", "torch==2.10.0"}));
  EXPECT_FALSE(isNamed({"env:/v", "torch==2.10.0"}));
  EXPECT_FALSE(isNamed({"tensorflow[and-cuda]>=2.10"})) << "these versions are not torch's";
  EXPECT_TRUE(isNamed({"torch===", "torch==2.10.0"})) << "another rule reports the first";
}
