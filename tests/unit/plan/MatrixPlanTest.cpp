// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/matrix/MatrixPlan.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include <gmock/gmock.h>

using namespace cudacc;
using testing::ElementsAre;
using testing::IsEmpty;
using versions::CudaVersion;

namespace {

/// `12.4 torch 2.5.1 cp311 for torch==2.5.1 torch==2.5.0`.
std::string describe(const plan::MatrixPlan &plan, const plan::MatrixBuild &build) {
  std::string text = plan.inputs.toolkits[build.toolkit].cuda.str();
  if (llvm::StringRef torch = plan.torchOf(build); !torch.empty())
    text += fmt::format(" torch {}", torch);
  if (!build.python.empty())
    text += fmt::format(" {}", build.python);
  text += " for";
  for (unsigned runtime : build.runtimes)
    text += fmt::format(" {}", plan.inputs.runtimes[runtime].name);
  return text;
}

class PlanningMatrix : public testing::Test {
protected:
  plan::MatrixInputs inputs;
  std::map<std::string, CudaVersion> lines;

  void toolkit(CudaVersion cuda, std::string root = "/opt") {
    inputs.toolkits.push_back({std::move(root), cuda});
  }
  void cuda(CudaVersion line) {
    std::string name = fmt::format("cuda=={}", line);
    lines[name] = line;
    inputs.runtimes.push_back({name, "", line});
  }
  void torch(const std::string &release, CudaVersion line) {
    std::string name = fmt::format("torch=={}", release);
    lines[name] = line;
    inputs.runtimes.push_back({name, release, line});
  }
  /// As CC3001 and CC3002 do. Version 99 of a toolkit stands for one that is not known.
  plan::MatrixPlan plan() {
    return planMatrix(
        inputs, [&](const plan::MatrixRuntime &runtime, const core::FoundToolkit &found) {
          core::Verdict verdict;
          CudaVersion line = lines[runtime.name];
          if (found.cuda.major == 99)
            verdict.add(core::makeFinding(core::Code::ToolkitVersionUnknown, "unknown"));
          else if (found.cuda.major != line.major)
            verdict.add(core::makeFinding(core::Code::TargetMajor, "major"));
          else if (found.cuda > line)
            verdict.add(core::makeFinding(core::Code::TargetNewer, "newer"));
          return verdict;
        });
  }
  std::vector<std::string> builds() {
    plan::MatrixPlan made = plan();
    std::vector<std::string> texts;
    for (const plan::MatrixBuild &build : made.builds)
      texts.push_back(describe(made, build));
    return texts;
  }
};

TEST_F(PlanningMatrix, nothing) {
  EXPECT_THAT(builds(), IsEmpty());
  toolkit({12, 4});
  EXPECT_THAT(builds(), IsEmpty());
}

TEST_F(PlanningMatrix, theOldestToolkitOfAMajorServesItsLaterLines) {
  toolkit({13, 2});
  toolkit({12, 4});
  toolkit({13, 0});
  cuda({12, 4});
  cuda({13, 0});
  cuda({13, 2});
  EXPECT_THAT(builds(), ElementsAre("12.4 for cuda==12.4", "13.0 for cuda==13.0 cuda==13.2"));
  EXPECT_EQ(plan().candidates, 3u);
}

TEST_F(PlanningMatrix, aTorchBuildServesItsMinorAlone) {
  toolkit({12, 4});
  toolkit({13, 0});
  torch("2.5.1", {12, 4});
  torch("2.5.0", {12, 4});
  torch("2.6.0", {12, 4});
  torch("2.11.0", {13, 0});
  EXPECT_THAT(builds(), ElementsAre("12.4 torch 2.5.0 for torch==2.5.1 torch==2.5.0",
                                    "12.4 torch 2.6.0 for torch==2.6.0",
                                    "13.0 torch 2.11.0 for torch==2.11.0"));
}

TEST_F(PlanningMatrix, wheelsOfOneTorchForTwoLinesAreTwoAbis) {
  toolkit({12, 4});
  torch("2.6.0+cu124", {12, 4});
  torch("2.6.0+cu126", {12, 6});
  EXPECT_THAT(builds(), ElementsAre("12.4 torch 2.6.0+cu124 for torch==2.6.0+cu124",
                                    "12.4 torch 2.6.0+cu126 for torch==2.6.0+cu126"));
}

TEST_F(PlanningMatrix, theStableAbiIsBuiltWithTheOldestTorch) {
  inputs.abi = plan::TorchAbi::Stable;
  toolkit({12, 6});
  toolkit({13, 0});
  torch("2.11.0", {12, 6});
  torch("2.10.0", {12, 8});
  torch("2.12.0", {13, 0});
  EXPECT_THAT(builds(), ElementsAre("12.6 torch 2.10.0 for torch==2.11.0 torch==2.10.0",
                                    "13.0 torch 2.12.0 for torch==2.12.0"));
}

TEST_F(PlanningMatrix, whatDoesNotUseTorchIsBuiltForTheOldestLine) {
  inputs.abi = plan::TorchAbi::None;
  toolkit({12, 4});
  torch("2.11.0", {12, 8});
  torch("2.5.1", {12, 4});
  cuda({12, 6});
  EXPECT_THAT(builds(), ElementsAre("12.4 for torch==2.11.0 torch==2.5.1 cuda==12.6"));
  plan::MatrixPlan made = plan();
  EXPECT_EQ(made.builds[0].base, 1u);
  EXPECT_EQ(made.nameOf(made.builds[0]), "cu12.4");
}

TEST_F(PlanningMatrix, theBaseIsTheOldestRuntime) {
  toolkit({13, 0});
  cuda({13, 2});
  cuda({13, 0});
  EXPECT_EQ(plan().builds[0].base, 1u);
}

TEST_F(PlanningMatrix, names) {
  inputs.pythons = {"3.11", "/opt/py 3/bin/python"};
  toolkit({12, 4});
  torch("2.6.0+cu126", {12, 6});
  plan::MatrixPlan made = plan();
  EXPECT_EQ(made.nameOf(made.builds[0]), "cu12.4-torch2.6.0+cu126-py3.11");
  EXPECT_EQ(made.nameOf(made.builds[1]), "cu12.4-torch2.6.0+cu126-pyopt-py-3-bin-python");
}

TEST_F(PlanningMatrix, eachPythonIsABuild) {
  inputs.pythons = {"cp312", "cp311"};
  toolkit({12, 4});
  cuda({12, 6});
  EXPECT_THAT(builds(), ElementsAre("12.4 cp312 for cuda==12.6", "12.4 cp311 for cuda==12.6"));
  EXPECT_EQ(plan().candidates, 2u);
}

TEST_F(PlanningMatrix, ofEqualToolkitsTheFirst) {
  toolkit({12, 4}, "/opt/a");
  toolkit({12, 4}, "/opt/b");
  cuda({12, 4});
  plan::MatrixPlan made = plan();
  ASSERT_EQ(made.builds.size(), 1u);
  EXPECT_EQ(made.inputs.toolkits[made.builds[0].toolkit].root, "/opt/a");
}

TEST_F(PlanningMatrix, whatNoToolkitServesIsNotBuilt) {
  toolkit({99, 0});
  toolkit({12, 6});
  cuda({12, 4});
  cuda({12, 6});
  EXPECT_THAT(builds(), ElementsAre("12.6 for cuda==12.6"));
  plan::MatrixPlan made = plan();
  ASSERT_EQ(made.unserved.size(), 1u);
  EXPECT_EQ(made.unserved[0].runtime, 0u);
  ASSERT_EQ(made.unserved[0].verdicts.size(), 2u);
  EXPECT_EQ(made.unserved[0].verdicts[0].outcome(), core::Outcome::Reject);
  EXPECT_EQ(made.unserved[0].verdicts[1].outcome(), core::Outcome::Unknown);
  EXPECT_EQ(made.unserved[0].outcome(), core::Outcome::Unknown);
  inputs.toolkits.erase(inputs.toolkits.begin());
  EXPECT_EQ(plan().unserved[0].outcome(), core::Outcome::Reject);
}

} // namespace
