// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/wheel/Brought.h"
#include "tests/unit/policy/BinaryJudging.h"

using namespace cudacc;
using cudacc::test::BinaryJudging;
using testing::Contains;
using testing::IsEmpty;
using testing::Not;

static std::vector<std::string> brought(const core::Target &target,
                                        std::initializer_list<const char *> requirements) {
  std::vector<versions::Requirement> parsed;
  for (const char *text : requirements)
    parsed.push_back(*versions::Requirement::parse(text));
  std::vector<std::string> rows;
  for (const core::TargetLibrary &row : policy::broughtBeside(target, parsed))
    rows.push_back(fmt::format("{} {} {}", row.soname, row.version, row.folder));
  return rows;
}

static std::vector<std::string> brought(const char *runtime,
                                        std::initializer_list<const char *> requirements) {
  return brought(BinaryJudging::targetOf(runtime), requirements);
}

TEST(Brought, whatTheRuntimeLeavesOpenInTheLowestVersionAllowed) {
  EXPECT_THAT(brought("cuda==12.4", {"nvidia-cudnn-cu12>=9.0,<10"}),
              Contains("libcudnn.so.9 9.0.0.312 nvidia/cudnn/lib"));
  EXPECT_THAT(brought("cuda==12.4", {"nvidia-nccl-cu12>=2.19,<3"}),
              Contains("libnccl.so.2 2.19.3 nvidia/nccl/lib"));
}

TEST(Brought, whatTheRuntimeHasIsLeftAlone) {
  EXPECT_THAT(brought("cuda==12.4", {"nvidia-cublas-cu12>=12.4,<13"}), IsEmpty());
  EXPECT_THAT(brought("torch==2.5.1", {"nvidia-cudnn-cu12>=9.0,<10"}), IsEmpty());
}

TEST(Brought, noWheelOfAnotherMajorAndNoneThatMayNotApply) {
  EXPECT_THAT(brought("cuda==12.4", {"nvidia-cudnn-cu13>=9.12,<10"}), IsEmpty());
  EXPECT_THAT(brought("cuda==12.4", {"nvidia-cudnn-cu12>=9.0; python_version < '3.9'"}), IsEmpty());
  EXPECT_THAT(brought("cuda==12.4", {"nvidia-cudnn-cu12>=99"}), IsEmpty());
}

TEST(Brought, whatItNeedsComesWithIt) {
  auto rows = brought("cuda==13.0", {"cutensornet-cu13>=2.9,<3"});
  EXPECT_THAT(rows, Contains(testing::StartsWith("libcutensornet.so.2 2.9.1 ")));
  EXPECT_THAT(rows, Contains(testing::StartsWith("libcutensor.so.2 ")));
  EXPECT_THAT(rows, Not(Contains(testing::StartsWith("libcublas"))));
}

// cuDensityMat 0.7 imports names of cuTensorNet 2.13, and no particular names of its cuTENSOR.
TEST(Brought, whatItNeedsComesInTheLowestVersionThatHasItsNames) {
  auto rows = brought("cuda==13.0", {"cudensitymat-cu13==0.7.0"});
  EXPECT_THAT(rows, Contains(testing::StartsWith("libcutensornet.so.2 2.13.0 ")));
  EXPECT_THAT(rows, Contains(testing::StartsWith("libcutensor.so.2 2.3.0 ")));
}

TEST(Brought, nothingOfAWheelWhoseLibraryTheRuntimeHasFromAnother) {
  core::Target target = BinaryJudging::targetOf("cuda==13.0");
  llvm::erase_if(target.libraries, [](const core::TargetLibrary &each) {
    return each.dist == "nvidia-cublas" && each.soname == "libnvblas.so.13";
  });
  for (core::TargetLibrary &each : target.libraries)
    if (each.dist == "nvidia-cublas")
      each.dist = "torch";
  EXPECT_THAT(brought(target, {"cutensornet-cu13>=2.9,<3"}),
              Not(Contains(testing::StartsWith("libnvblas"))));
}

TEST(Brought, nothingBesideLibrariesThatAreInNoWheel) {
  core::Target target = BinaryJudging::targetOf("cuda==12.4");
  target.layout.value.kind = core::Layout::System;
  EXPECT_THAT(brought(target, {"nvidia-cudnn-cu12>=9.0,<10"}), IsEmpty());
  EXPECT_THAT(brought(core::Target(), {"nvidia-cudnn-cu12>=9.0,<10"}), IsEmpty());
}

TEST(Brought, rowsAreOrderedByTheirNames) {
  core::Target target;
  for (const char *soname : {"libb.so.1", "libd.so.1"})
    target.libraries.emplace_back().soname = soname;
  std::vector<core::TargetLibrary> rows(2);
  rows[0].soname = "libc.so.1";
  rows[1].soname = "liba.so.1";
  policy::addRows(target, rows);
  std::string names;
  for (const core::TargetLibrary &each : target.libraries)
    names += each.soname + " ";
  EXPECT_EQ(names, "liba.so.1 libb.so.1 libc.so.1 libd.so.1 ");
}
