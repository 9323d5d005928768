// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/matrix/MatrixJobs.h"
#include <gmock/gmock.h>

using namespace cudacc;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

plan::MatrixPlan twoBuilds() {
  plan::MatrixPlan plan;
  plan.inputs.runtimes = {{"cuda==12.4", "", {12, 4}}, {"cuda==13.0", "", {13, 0}}};
  plan.inputs.toolkits = {{"/a", {12, 4}}, {"/b", {13, 0}}};
  plan.builds = {{0, "", {0}, 0}, {1, "", {1}, 1}};
  return plan;
}

TEST(MatrixJobs, aMachineForEachBuild) {
  EXPECT_THAT(plan::githubWorkflow(twoBuilds(), {"", {}, std::nullopt}),
              AllOf(HasSubstr("          - build: 'cu12.4'\n            toolkit: '12.4'\n"
                              "          - build: 'cu13.0'\n            toolkit: '13.0'\n"),
                    HasSubstr("      - run: |\n          cuda-cc matrix --toolkit "
                              "${{ matrix.toolkit }} ${{ matrix.build }}\n")));
  EXPECT_THAT(plan::gitlabJob(twoBuilds(), {"", {}, std::nullopt}),
              AllOf(HasSubstr("      - BUILD: 'cu12.4'\n        TOOLKIT: '12.4'\n"),
                    HasSubstr("    - |\n      cuda-cc matrix --toolkit $TOOLKIT $BUILD\n")));
}

TEST(MatrixJobs, logsAndArtefactsAreKept) {
  std::vector<std::string> kept = {"*.log", "work/lib/*.so"};
  EXPECT_THAT(plan::githubWorkflow(twoBuilds(), {"", kept, std::nullopt}),
              HasSubstr("          path: |\n"
                        "            .cuda-cc/matrix/${{ matrix.build }}/*.log\n"
                        "            .cuda-cc/matrix/${{ matrix.build }}/work/lib/*.so\n"
                        "          include-hidden-files: true\n"));
  EXPECT_THAT(plan::gitlabJob(twoBuilds(), {"", kept, std::nullopt}),
              testing::EndsWith("    paths:\n"
                                "      - '.cuda-cc/matrix/$BUILD/*.log'\n"
                                "      - '.cuda-cc/matrix/$BUILD/work/lib/*.so'\n"));
}

// A block of YAML strips the indentation of each line, so that sh sees the options as they were.
TEST(MatrixJobs, optionsAreRepeated) {
  EXPECT_THAT(plan::githubWorkflow(twoBuilds(), {"--build='a\nb'", {}, std::nullopt}),
              HasSubstr("          cuda-cc matrix --build='a\n          b' --toolkit "));
  EXPECT_THAT(plan::gitlabJob(twoBuilds(), {"--build='a\nb'", {}, std::nullopt}),
              HasSubstr("      cuda-cc matrix --build='a\n      b' --toolkit "));
}

TEST(MatrixJobs, jobsThatFetchNeedNoImage) {
  plan::MatrixJobs jobs{"", {}, plan::MatrixJobs::Fetch{true, true}};
  std::string github = plan::githubWorkflow(twoBuilds(), jobs);
  EXPECT_THAT(github,
              AllOf(HasSubstr("          - build: 'cu12.4'\n            toolkit: 'fetch'\n"),
                    HasSubstr("      CUDA_CC_ACCEPT_LICENSE: '1'\n"),
                    HasSubstr("      CUDA_CC_REDIST_URL: ${{ vars.CUDA_CC_REDIST_URL }}\n"),
                    Not(HasSubstr("nvidia/cuda"))));
  EXPECT_THAT(plan::gitlabJob(twoBuilds(), jobs),
              AllOf(HasSubstr("        TOOLKIT: 'fetch'\n"),
                    HasSubstr("    CUDA_CC_ACCEPT_LICENSE: '1'\n"), Not(HasSubstr("nvidia/cuda"))));
}

// A license is accepted by the user, never by what is printed.
TEST(MatrixJobs, jobsAcceptNoLicenseByThemselves) {
  plan::MatrixJobs jobs{"", {}, plan::MatrixJobs::Fetch{}};
  EXPECT_THAT(plan::githubWorkflow(twoBuilds(), jobs),
              AllOf(HasSubstr("      CUDA_CC_ACCEPT_LICENSE: ''\n"), Not(HasSubstr("REDIST"))));
}

} // namespace
