// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/resolve/InstalledWheels.h"

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::test;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// Codes of the problems, and the texts of the first.
std::vector<Code> problemsOf(const Installed &installed) {
  std::vector<Code> codes;
  for (const Finding &each : target(installed).problems)
    codes.push_back(each.code);
  return codes;
}

} // namespace

// V-RL-01, RL-3: each row names the installed version; the problem is that they do not fit
// together.
TEST(GuardEnvironment, AnIncoherentGroupIsAProblem) { // V-RL-01
  Installed mixed = torch251();
  mixed.has("nvidia-cublas-cu12", "12.8.3.14", "nvidia/cublas/lib", "libcublas.so.12")
      .has("nvidia-cusolver-cu12", "11.7.5.82", "nvidia/cusolver/lib", "libcusolver.so.11");
  Target venv = target(mixed);
  ASSERT_FALSE(venv.problems.empty());
  const Finding &problem = venv.problems[0];
  EXPECT_EQ(problem.code, Code::Group);
  // The rows have versions anyway.
  EXPECT_EQ(problem.severity, Severity::Warning);
  EXPECT_EQ(venv.find("libcublas.so.12")->version.str(), "12.8.3.14");
  EXPECT_THAT(factOf(problem, "library"), HasSubstr("nvidia-cublas-cu12-12.8.3.14.dist-info"));
  EXPECT_THAT(factOf(problem, "library"), HasSubstr("nvidia-cusolver-cu12-11.7.5.82.dist-info"));
  EXPECT_THAT(target(torch251()).problems, IsEmpty());
}

// V-RL-06, RL-5: code compiled at run time uses the headers of the runtime's wheel.
TEST(GuardEnvironment, HeadersOfAnotherMinorThanNvrtcAreAProblem) { // V-RL-06
  auto with = [](const char *nvrtc) {
    Installed venv =
        Installed()
            .has("nvidia-cuda-runtime", "13.0.96", "nvidia/cu13/lib", "libcudart.so.13")
            .has("nvidia-cuda-nvrtc", nvrtc, "nvidia/cu13/lib", "libnvrtc.so.13");
    venv.environment.distributions.push_back(
        {"nvidia-cuda-runtime", "13.0.96", "nvidia_cuda_runtime-13.0.96.dist-info", site});
    return problemsOf(venv);
  };
  EXPECT_THAT(with("13.2.78"), ElementsAre(Code::Group));
  EXPECT_THAT(with("13.0.88"), IsEmpty());
}

// V-RL-07: the SONAME of the built-ins contains the minor.
TEST(GuardEnvironment, BuiltinsOfAnotherMinorAreAProblem) { // V-RL-07
  auto with = [](std::vector<const char *> builtins) {
    Installed venv =
        Installed()
            .has("nvidia-cuda-runtime", "13.0.96", "nvidia/cu13/lib", "libcudart.so.13")
            .has("nvidia-cuda-nvrtc", "13.0.88", "nvidia/cu13/lib", "libnvrtc.so.13");
    for (const char *each : builtins)
      venv.has("nvidia-cuda-nvrtc", "13.0.88", "nvidia/cu13/lib", each);
    return problemsOf(venv);
  };
  EXPECT_THAT(with({"libnvrtc-builtins.so.13.2"}), ElementsAre(Code::Group));
  EXPECT_THAT(with({"libnvrtc-builtins.so.13.0"}), IsEmpty());
  // A leftover library beside the right ones is not used.
  EXPECT_THAT(with({"libnvrtc-builtins.so.13.0", "libnvrtc-builtins.so.13.2"}), IsEmpty());
}

// V-RL-20, V-RL-10: by the coupling tables.
TEST(GuardEnvironment, CoupledVersionsAreChecked) { // V-RL-20, V-RL-10
  Installed cudnn = torch251();
  cudnn.has("nvidia-cudnn-cu12", "9.2.1.18", "nvidia/cudnn/lib", "libcudnn_cnn.so.9")
      .has("nvidia-cudnn-cu12", "9.3.0.75", "nvidia/cudnn/lib", "libcudnn_graph.so.9");
  EXPECT_THAT(problemsOf(cudnn), Contains(Code::Group));
  Installed floor = torch251();
  floor.environment.libraries[3].version = "12.1.105";
  EXPECT_THAT(problemsOf(floor), ElementsAre(Code::Floor));
}
