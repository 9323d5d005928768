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

void addMetadata(Installed &installed, const char *dist, const char *version) {
  installed.environment.distributions.push_back(
      {dist, version, std::string(dist) + "-" + version + ".dist-info", site});
}

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
  EXPECT_THAT(target(floor).problems.front().fixes,
              ElementsAre("pip install nvidia-nvjitlink-cu12==12.4.127"));
  floor.environment.libraries[3].dist = "";
  EXPECT_THAT(target(floor).problems.front().fixes, ElementsAre("use libnvJitLink.so.12==12.4.127"))
      << "no wheel owns it";
}

// RL-8: the wheel of the other major is the one that goes, both if both are there.
TEST(GuardEnvironment, AWheelOfAnotherMajorIsReplaced) {
  Installed venv = Installed()
                       .has("nvidia-cuda-runtime", "13.0.96", "nvidia/cu13/lib", "libcudart.so.13")
                       .has("nvidia-nccl-cu12", "2.27.3", "nvidia/nccl/lib", "libnccl.so.2");
  Target found = target(venv);
  EXPECT_THAT(codesOf(found.problems), ElementsAre(Code::Variant));
  EXPECT_THAT(found.problems.front().fixes,
              ElementsAre("pip uninstall -y nvidia-nccl-cu12 && "
                          "pip install --force-reinstall --no-deps nvidia-nccl-cu13"));
  Installed two = venv;
  two.has("cutensor-cu12", "2.2.0", "cutensor/lib", "libcutensor.so.2");
  Target both = target(two);
  EXPECT_THAT(codesOf(both.problems), ElementsAre(Code::Variant, Code::Variant));
  for (const Finding &each : both.problems)
    EXPECT_THAT(each.fixes,
                ElementsAre(HasSubstr(each.library == "libnccl.so.2" ? "-y nvidia-nccl-cu12 &&"
                                                                     : "-y cutensor-cu12 &&")));
  addMetadata(venv, "numpy", "2.0.0");
  addMetadata(venv, "nvidia-nccl-cu13", "2.29.7");
  EXPECT_THAT(target(venv).problems.front().fixes,
              ElementsAre("pip uninstall -y nvidia-nccl-cu12 nvidia-nccl-cu13 && "
                          "pip install --force-reinstall --no-deps nvidia-nccl-cu13==2.29.7"));
  venv.torch("2.11.0+cu130", "13.0");
  EXPECT_THAT(target(venv).problems.front().fixes,
              ElementsAre(HasSubstr("--no-deps nvidia-nccl-cu13==")));
}

namespace {

Installed cuda129() {
  return Installed().has("nvidia-cuda-runtime-cu12", "12.9.79", "nvidia/cuda_runtime/lib",
                         "libcudart.so.12");
}

} // namespace

// RL-6: code compiled at run time calls the runtime by its own headers.
TEST(GuardEnvironment, HeadersOfAnotherMinorThanTheRuntimeAreAProblem) { // RL-6
  Installed mixed = cuda129();
  addMetadata(mixed, "nvidia-cuda-runtime-cu12", "12.8.90");
  Target venv = target(mixed);
  ASSERT_EQ(venv.problems.size(), 1u);
  EXPECT_EQ(venv.problems[0].message, "headers of cudart are of CUDA 12.8, the library of 12.9");
  // Another distribution has no headers of the runtime, and those of another major are not used.
  Installed whole = cuda129();
  whole.has("nvidia-cuda-nvrtc-cu12", "12.9.86", "nvidia/cuda_nvrtc/lib", "libnvrtc.so.12");
  addMetadata(whole, "nvidia-cuda-runtime-cu12", "12.9.79");
  addMetadata(whole, "nvidia-cublas-cu12", "12.8.4.1");
  addMetadata(whole, "nvidia-cuda-runtime", "13.0.96");
  EXPECT_THAT(problemsOf(whole), IsEmpty());
}

TEST(GuardEnvironment, AConsequenceIsMarked) { // EO-3
  auto consequence = [](bool isFirst) {
    Installed mixed = cuda129();
    for (bool isCublas : {!isFirst, isFirst})
      if (isCublas)
        mixed.has("nvidia-cublas-cu12", "12.8.4.1", "nvidia/cublas/lib", "libcublas.so.12");
      else
        mixed.has("nvidia-cusparse-cu12", "12.5.10.65", "nvidia/cusparse/lib", "libcusparse.so.12");
    mixed.has("nvidia-nvjitlink-cu12", "12.8.93", "nvidia/nvjitlink/lib", "libnvJitLink.so.12");
    Target venv = target(mixed);
    EXPECT_THAT(codesOf(venv.problems), ElementsAre(Code::Group, Code::Floor));
    EXPECT_EQ(factOf(venv.problems[0], "consequence"), "");
    EXPECT_THAT(venv.problems[1].fixes,
                ElementsAre(testing::StartsWith("pip install 'nvidia-nvjitlink-cu12>=12.9")));
    return factOf(venv.problems[1], "consequence");
  };
  EXPECT_EQ(consequence(false), "of cusparse, which is refused by itself");
  EXPECT_EQ(consequence(true), "");
}

TEST(GuardEnvironment, TwoReleasesOfAWheelAreOneMinorAndStillAProblem) { // RL-9
  Installed mixed = cuda129();
  mixed.has("nvidia-cublas-cu12", "12.9.1.4", "nvidia/cublas/lib", "libcublas.so.12")
      .has("nvidia-cublas-cu12", "12.9.0.13", "nvidia/cublas/lib", "libcublasLt.so.12")
      .has("nvidia-cusolver-cu12", "11.7.2.55", "nvidia/cusolver/lib", "libcusolver.so.11");
  EXPECT_THAT(problemsOf(mixed), ElementsAre(Code::Group, Code::Group));
}

TEST(GuardEnvironment, ALibraryOfUnknownVersionIsNotCompared) { // GR-4
  Installed unknown = cuda129();
  unknown.has("nvidia-cusparse-cu12", "", "nvidia/cusparse/lib", "libcusparse.so.12")
      .has("nvidia-nvjitlink-cu12", "12.3.52", "nvidia/nvjitlink/lib", "libnvJitLink.so.12");
  EXPECT_THAT(problemsOf(unknown), IsEmpty());
}

// cuDNN 9.22 names libcublasLt.so.13 of CUDA 13.1 among its strings.
TEST(GuardEnvironment, ALibraryThatIsOnlyNamedIsNotCompared) { // RL-9
  Installed named = Installed()
                        .has("nvidia-cuda-runtime", "13.0.96", "nvidia/cu13/lib", "libcudart.so.13")
                        .has("nvidia-cublas", "13.1.0.3", "nvidia/cu13/lib", "libcublasLt.so.13")
                        .has("nvidia-cudnn-cu13", "9.22.0.52", "nvidia/cudnn/lib",
                             "libcudnn_engines_precompiled.so.9");
  EXPECT_THAT(problemsOf(named), IsEmpty());
}
