// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/resolve/InstalledWheels.h"

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::test;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// TG-1: per library, from the installed versions.
TEST(ResolveEnvironment, RowsAreWhatIsInstalled) {
  Target venv = target(torch251());
  EXPECT_TRUE(venv.declared);
  EXPECT_EQ(venv.line.str(), "12.4");
  EXPECT_EQ(venv.release, "12.4.1");
  EXPECT_EQ(venv.driverFloor, "525.60.13");
  EXPECT_EQ(venv.torch, "2.5.1+cu124");
  EXPECT_EQ(venv.describe(), "env:/w/.venv in cuda-cc.toml:3");
  EXPECT_THAT(venv.sitePackages, ElementsAre(site));
  EXPECT_THAT(venv.portableAs, ElementsAre("torch==2.5.1"));
  EXPECT_EQ(row(venv, "libnvJitLink.so.12"),
            "nvidia-nvjitlink-cu12 12.4.127, CUDA 12.4, installed in .venv");
  EXPECT_EQ(row(venv, "libcusparse.so.12"),
            "nvidia-cusparse-cu12 12.3.1.170, CUDA 12.4, installed in .venv");
  EXPECT_EQ(row(venv, "libcudnn.so.9"),
            "nvidia-cudnn-cu12 9.1.0.70, CUDA unknown, installed in .venv");
  EXPECT_EQ(venv.find("libcusparse.so.12")->folder, "nvidia/cusparse/lib");
  EXPECT_EQ(venv.find("libcusparse.so.12")->path,
            std::string(site) + "/nvidia/cusparse/lib/libcusparse.so.12");
}

TEST(ResolveEnvironment, WhatIsNotInstalledHasNoRow) {
  Target venv = target(torch251());
  EXPECT_EQ(venv.find("libnppc.so.12"), nullptr);
  EXPECT_EQ(venv.find("libcufft.so.11"), nullptr);
  EXPECT_EQ(venv.libraries.size(), 4u);
}

// V-TG-14: the environment has an nvJitLink of another line.
TEST(ResolveEnvironment, FloatingLibraryIsTheInstalledOne) {
  Target venv =
      target(Installed()
                 .has("nvidia-cuda-runtime", "13.0.96", "nvidia/cu13/lib", "libcudart.so.13")
                 .has("nvidia-nvjitlink", "13.3.33", "nvidia/cu13/lib", "libnvJitLink.so.13"));
  EXPECT_EQ(venv.line.str(), "13.0");
  EXPECT_EQ(row(venv, "libnvJitLink.so.13"),
            "nvidia-nvjitlink 13.3.33, CUDA 13.3, installed in .venv");
  EXPECT_THAT(venv.portableAs, ElementsAre("cuda==13.0"));
  EXPECT_EQ(venv.torch, "");
}

TEST(ResolveEnvironment, LineIsTheRuntimesElseTorchsElseTheLowest) {
  Installed upgraded = torch251();
  upgraded.environment.libraries[0].version = "12.6.77";
  EXPECT_EQ(target(upgraded).line.str(), "12.6");
  EXPECT_THAT(target(upgraded).portableAs, ElementsAre("cuda==12.6"));
  Installed bundled = Installed().torch("2.3.1+cu118", "11.8");
  EXPECT_EQ(target(bundled).line.str(), "11.8");
  Installed parts =
      Installed()
          .has("nvidia-nvjitlink-cu12", "12.6.85", "nvidia/nvjitlink/lib", "libnvJitLink.so.12")
          .has("nvidia-cublas-cu12", "12.4.5.8", "nvidia/cublas/lib", "libcublas.so.12");
  EXPECT_EQ(target(parts).line.str(), "12.4");
}

TEST(ResolveEnvironment, BundledLibrariesServeUnderTheirOwnName) {
  Target venv = target(Installed()
                           .torch("2.3.1+cu118", "11.8")
                           .has("torch", "", "torch/lib", "libcublas.so.11")
                           .has("torch", "", "torch/lib", "libcudart-d0da41ae.so.11.0"));
  EXPECT_EQ(row(venv, "libcublas.so.11"), "torch unknown, CUDA 11.8, bundled with torch in .venv");
  EXPECT_EQ(venv.libraries.size(), 1u);
  EXPECT_EQ(venv.libraries[0].folder, "torch/lib");
}

TEST(ResolveEnvironment, CondaPackagesAreKnownByTheWheelsNames) {
  Installed conda;
  conda.environment.libraries = {{"libcudart.so.12", "/c/lib/libcudart.so.12", "", "cuda-cudart",
                                  "12.4.127", "cuda-cudart-12.4.127-0.json", false},
                                 {"libcusparse.so.12", "/c/lib/libcusparse.so.12", "",
                                  "libcusparse", "12.3.1.170", "libcusparse-12.3.1.170-0.json",
                                  false}};
  Target venv = target(conda);
  EXPECT_EQ(venv.line.str(), "12.4");
  EXPECT_EQ(row(venv, "libcusparse.so.12"),
            "nvidia-cusparse-cu12 12.3.1.170, CUDA 12.4, installed in .venv: "
            "libcusparse-12.3.1.170-0.json");
}

TEST(ResolveEnvironment, FirstDirectoryWins) {
  Installed two = torch251().has("nvidia-nvjitlink-cu12", "12.6.85", "x", "libnvJitLink.so.12");
  EXPECT_EQ(target(two).find("libnvJitLink.so.12")->version.str(), "12.4.127");
}

// cu12 and cu13 wheels in one environment.
TEST(ResolveEnvironment, OfTwoMajorsTheOneThatTorchIsFor) {
  Installed mixed = torch251()
                        .has("nvidia-cuda-runtime", "13.0.96", "nvidia/cu13/lib", "libcudart.so.13")
                        .has("nvidia-cusparse", "12.6.3.3", "nvidia/cu13/lib", "libcusparse.so.12");
  Target venv = target(mixed);
  EXPECT_EQ(venv.line.str(), "12.4");
  EXPECT_EQ(venv.find("libcudart.so.13"), nullptr);
  EXPECT_EQ(venv.find("libcusparse.so.12")->folder, "nvidia/cusparse/lib");
  mixed.environment.torch.reset();
  Finding finding = refusal(mixed);
  EXPECT_EQ(finding.code, Code::EvidenceConflict);
  EXPECT_THAT(factOf(finding, "has"), HasSubstr("CUDA 12.4: "));
  EXPECT_THAT(factOf(finding, "has"), HasSubstr("CUDA 13.0: "));
  EXPECT_THAT(finding.fixes,
              ElementsAre("to keep CUDA 12.4: pip uninstall -y nvidia-cuda-runtime nvidia-cusparse",
                          "to keep CUDA 13.0: pip uninstall -y nvidia-cuda-runtime-cu12 "
                          "nvidia-cusparse-cu12 nvidia-nvjitlink-cu12",
                          "name the right one: env:/w/.venv together with cuda==12.*"));
  Target chosen = target(mixed, {"env:/w/.venv", "cuda>=13,<14"});
  EXPECT_EQ(chosen.line.str(), "13.0");
  EXPECT_EQ(chosen.find("libcusparse.so.12")->dist, "nvidia-cusparse");
}

// V-RL-13
TEST(ResolveEnvironment, VariantOfAnotherMajorIsNoRow) {
  Installed variant =
      Installed()
          .has("nvidia-cuda-runtime", "13.0.96", "nvidia/cu13/lib", "libcudart.so.13")
          .has("nvidia-nccl-cu12", "2.27.5", "nvidia/nccl/lib", "libnccl.so.2");
  Target venv = target(variant);
  EXPECT_EQ(venv.find("libnccl.so.2"), nullptr);
  ASSERT_EQ(venv.problems.size(), 1u);
  EXPECT_EQ(venv.problems[0].code, Code::Variant);
  EXPECT_EQ(venv.problems[0].message, "nvidia-nccl-cu12 is not for CUDA 13.0");
  variant.environment.libraries[1].dist = "nvidia-nccl-cu13";
  EXPECT_THAT(target(variant).problems, IsEmpty());
  EXPECT_NE(target(variant).find("libnccl.so.2"), nullptr);
}

TEST(ResolveEnvironment, UnknownVersionIsNoGuess) {
  Installed doubtful = torch251();
  doubtful.environment.libraries[3].version = "";
  EXPECT_EQ(row(target(doubtful), "libnvJitLink.so.12"),
            "nvidia-nvjitlink-cu12 unknown, CUDA unknown, installed in .venv");
  Finding problem;
  problem.code = Code::EvidenceConflict;
  problem.library = "libcudart.so.12";
  problem.message = "libcudart.so.12 is claimed by several distributions";
  problem.facts = {{"claimed by", "nvidia-cuda-runtime-cu12 12.4.127"}};
  doubtful.environment.problems = {problem};
  EXPECT_EQ(target(doubtful).problems.size(), 1u);
  // Without the version of the CUDA runtime, there is no line.
  doubtful.environment.libraries[0].version = "";
  Finding finding = refusal(doubtful);
  EXPECT_EQ(finding.code, Code::EvidenceConflict);
  EXPECT_EQ(exitOf(finding), Exit::Undetermined);
  EXPECT_EQ(factOf(finding, "because"), problem.message);
  EXPECT_EQ(factOf(finding, "claimed by"), "nvidia-cuda-runtime-cu12 12.4.127");
}

TEST(ResolveEnvironment, WhatWouldHaveToldTheLineIsInstalledAgain) {
  Finding nccl;
  nccl.message = "libnccl.so.2 is claimed by several distributions";
  nccl.library = "libnccl.so.2";
  nccl.fixes = {"replace nccl"};
  Finding lacks;
  lacks.message = "nvidia-cublas-cu12 12.4.5.8 lacks its libcublas.so.12";
  lacks.library = "libcublas.so.12";
  lacks.fixes = {"reinstall cublas"};
  Finding other = lacks;
  other.library = "libcublasLt.so.12";
  Installed broken;
  broken.environment.problems = {nccl};
  EXPECT_EQ(refusal(broken).fixes.front(), "pip install nvidia-cuda-runtime");
  broken.environment.problems = {nccl, lacks, other};
  Finding finding = refusal(broken);
  EXPECT_EQ(finding.code, Code::UnknownRelease);
  EXPECT_THAT(finding.fixes, ElementsAre("reinstall cublas", HasSubstr("declare what it will be")));
  EXPECT_EQ(factOf(finding, "because"), lacks.message);
}

// F16
TEST(ResolveEnvironment, NothingOfCudaThere) {
  Finding finding = refusal(Installed());
  EXPECT_EQ(finding.code, Code::UnknownRelease);
  EXPECT_EQ(factOf(finding, "searched"), site);
  EXPECT_EQ(factOf(refusal(Installed().torch("2.9.0+cpu", "")), "found"),
            "torch 2.9.0+cpu, built without CUDA");
  EXPECT_EQ(refusal(Installed().torch("2.9.0+cpu", "")).fixes.front(),
            "pip install --force-reinstall torch==2.9.0");
  // Facts that the environment lacks come from the other requirement.
  Target line = target(Installed(), {"env:/w/.venv", "cuda==12.4"});
  EXPECT_EQ(line.line.str(), "12.4");
  EXPECT_NE(line.find("libnppc.so.12"), nullptr);
  EXPECT_THAT(line.sitePackages, IsEmpty());
}

TEST(ResolveEnvironment, EverythingDeclaredMustHold) {
  EXPECT_EQ(target(torch251(), {"torch==2.5.1", "env:/w/.venv"}).line.str(), "12.4");
  EXPECT_EQ(target(torch251(), {"torch==2.5.1+cu124", "env", "cuda==12.4"}).line.str(), "12.4");
  EXPECT_EQ(target(torch251(), {"torch>=2.5,<2.8", "env", "cuda==12.4.1"}).line.str(), "12.4");
  for (auto &other : std::vector<std::vector<const char *>>{{"torch==2.6.0", "env"},
                                                            {"env", "torch==2.5.1+cu121"},
                                                            {"env", "cuda==12.6"},
                                                            {"env", "cuda==12.4.0"},
                                                            {"env", "cuda==13.0"}}) {
    Finding finding = refusal(torch251(), other);
    EXPECT_EQ(finding.code, Code::Constraint) << other[0] << " " << other[1];
    EXPECT_THAT(factOf(finding, "requires"), HasSubstr("env in cuda-cc.toml:"));
    EXPECT_FALSE(factOf(finding, "has").empty());
  }
  EXPECT_EQ(refusal(torch251(), {"torch==2.6.0", "env"}).message,
            "the environment has torch 2.5.1+cu124, not what is declared");
  EXPECT_EQ(refusal(torch251(), {"torch==2.6.0", "env"}).fixes.front(), "pip install torch==2.6.0");
  EXPECT_EQ(refusal(Installed(), {"torch==2.5.1", "env"}).message,
            "the environment has no torch, not what is declared");
  EXPECT_EQ(refusal(torch251(), {"env", "env:/other"}).code, Code::BadRequirement);
}

TEST(ResolveEnvironment, LabelOfTheBuildComesFromTorchsLine) {
  Installed pypi = torch251().torch("2.5.1", "12.4");
  EXPECT_EQ(target(pypi).torch, "2.5.1+cu124");
  EXPECT_EQ(target(pypi, {"env", "torch==2.5.1+cu124"}).line.str(), "12.4");
}

TEST(ResolveEnvironment, ReadErrorsNameTheDeclaration) {
  Declaration declaration;
  declaration.runtime.push_back({"env:/x", Origin{Origin::Kind::File, "cuda-cc.toml", 3, 1}});
  std::string asked;
  auto resolved =
      resolve::resolve(declaration, [&](llvm::StringRef path) -> llvm::Expected<PythonEnvironment> {
        asked = path.str();
        return makeError(Code::UnreadableFile, "there is no /x");
      });
  ASSERT_FALSE(resolved);
  Finding finding = toFinding(resolved.takeError());
  EXPECT_EQ(asked, "/x");
  EXPECT_EQ(finding.code, Code::UnreadableFile);
  EXPECT_EQ(finding.origin, "cuda-cc.toml:3");
  EXPECT_EQ(factOf(finding, "declared"), "env:/x in cuda-cc.toml:3");
  auto refused = resolve::resolve(declaration);
  ASSERT_FALSE(refused);
  EXPECT_EQ(toFinding(refused.takeError()).code, Code::BadRequirement);
}

// F15
TEST(ResolveMachines, EveryGpuFromThereUpThatTheLineKnows) {
  EXPECT_THAT(archs(target({}, {"cuda==12.4", "sm>=80"})),
              ElementsAre("sm_80", "sm_86", "sm_89", "sm_90"));
  EXPECT_THAT(archs(target({}, {"cuda==12.8", "sm>=90"})),
              ElementsAre("sm_90", "sm_100", "sm_120"));
  EXPECT_THAT(archs(target({}, {"sm >= 86", "cuda==11.8"})),
              ElementsAre("sm_86", "sm_89", "sm_90"));
  EXPECT_EQ(target({}, {"cuda==12.4", "sm>=80"}).gpuOrigin, "sm>=80 in cuda-cc.toml:4");
  EXPECT_EQ(refusal({}, {"cuda==12.4", "sm>=100"}).code, Code::UnknownRelease);
}

TEST(ResolveMachines, ListedGpus) {
  EXPECT_THAT(archs(target({}, {"cuda==12.4", "sm=90a,80, 86,80"})),
              ElementsAre("sm_80", "sm_86", "sm_90a"));
  EXPECT_THAT(archs(target({}, {"cuda==12.4", "sm==90"})), ElementsAre("sm_90"));
  // Its code may be PTX, so the line's nvcc need not know the architecture.
  EXPECT_THAT(archs(target({}, {"cuda==12.4", "sm=120"})), ElementsAre("sm_120"));
  Target both = target({}, {"cuda==12.4", "sm>=89", "sm=75"});
  EXPECT_THAT(archs(both), ElementsAre("sm_75", "sm_89", "sm_90"));
  EXPECT_EQ(both.gpuOrigin, "sm>=89 in cuda-cc.toml:4 and sm=75 in cuda-cc.toml:5");
  Finding unknown = refusal({}, {"cuda==12.4", "sm=85"});
  EXPECT_EQ(unknown.code, Code::UnknownRelease);
  EXPECT_THAT(unknown.fixes, ElementsAre(HasSubstr("sm=80,86"), HasSubstr("cuda-cc-facts")));
  EXPECT_EQ(unknown.facts.back().label, "tables");
}

TEST(ResolveMachines, TextThatNamesNoGpus) {
  for (const char *text : {"sm", "sm>=", "sm=", "sm>80", "sm<90", "sm>=8.0", "sm>=90a", "sm>=80,90",
                           "sm=80,,86", "sm=all", "sm_90", "sm 80", "sm=99999"})
    EXPECT_EQ(refusal({}, {"cuda==12.4", text}).code, Code::BadRequirement) << text;
  EXPECT_THAT(refusal({}, {"cuda==12.4", "sm_90a"}).fixes, ElementsAre("write sm=90a"));
}

TEST(ResolveMachines, DriverIsAFloorWithACudaVersion) {
  Target driver = target({}, {"cuda==12.4", "driver>=535.104"});
  EXPECT_EQ(driver.driver, "535.104");
  EXPECT_EQ(driver.driverCuda.str(), "12.2");
  EXPECT_EQ(driver.driverFloor, "525.60.13");
  Target newest = target({}, {"driver>=550.54.14", "cuda==12.4", "driver >= 535.104.05"});
  EXPECT_EQ(newest.driver, "550.54.14");
  EXPECT_EQ(newest.driverCuda.str(), "12.4");
  EXPECT_FALSE(target({}, {"cuda==12.4", "driver>=400.10"}).driverCuda.known());
}

// V-DR-15
TEST(ResolveMachines, TextThatIsNoDriverRelease) {
  for (const char *text : {"driver>=1.2.3.4", "driver>=abc", "driver>=", "driver>=535.",
                           "driver>=535.104,<600", "driver>=5351042.1"}) {
    Finding finding = refusal({}, {"cuda==12.4", text});
    EXPECT_EQ(finding.code, Code::DriverRelease) << text;
    EXPECT_EQ(exitOf(finding), Exit::Undetermined);
    EXPECT_THAT(finding.fixes, ElementsAre("write driver>=535.104"));
  }
  EXPECT_THAT(refusal({}, {"cuda==12.4", "driver>=abc"}).message, HasSubstr("\"abc\""));
  for (const char *text : {"driver", "driver==535.104", "driver 535.104", "driver<600.1"})
    EXPECT_EQ(refusal({}, {"cuda==12.4", text}).code, Code::BadRequirement) << text;
}

// A branch is all of its releases.
TEST(ResolveMachines, ABranchIsADriver) {
  Target branch = target({}, {"cuda==12.4", "driver>=550"});
  EXPECT_EQ(branch.driver, "550");
  EXPECT_EQ(branch.driverCuda.str(), "12.4");
}

// What links for machines alone needs no runtime.
TEST(ResolveMachines, AloneAreATargetForLinks) {
  auto of = [](std::vector<std::string> texts) {
    Declaration declaration;
    for (std::string &text : texts)
      declaration.runtime.push_back({std::move(text), {}});
    return llvm::cantFail(resolve::resolveMachines(declaration));
  };
  std::optional<Target> machines = of({"driver>=550.54", "sm=80,90"});
  ASSERT_TRUE(machines);
  EXPECT_EQ(machines->driver, "550.54");
  EXPECT_EQ(machines->gpus.size(), 2u);
  EXPECT_FALSE(machines->declared);
  EXPECT_FALSE(of({"driver>=550.54", "cuda==12.4"}));
  EXPECT_FALSE(of({}));
}

TEST(ResolveMachines, MachinesAloneAreNoRuntime) {
  Finding finding = refusal({}, {"sm>=80", "driver>=535.104"});
  EXPECT_EQ(finding.code, Code::BadRequirement);
  EXPECT_EQ(finding.message, "GPUs and a driver are declared, but no runtime");
  EXPECT_EQ(exitOf(finding), Exit::Usage);
}

TEST(ResolveMachines, TheManifestHoldsWhatIsDeclared) {
  EXPECT_THAT(target(torch251(), {"env:/w/.venv", "sm>=80", "driver>=550.54.14"}).portableAs,
              ElementsAre("torch==2.5.1", "sm>=80", "driver>=550.54.14"));
  EXPECT_THAT(target({}, {"torch>=2.5,<2.8"}).portableAs, ElementsAre("torch>=2.5,<2.8"));
  EXPECT_EQ(target({}, {"torch>=2.5,<2.8"}).torch, ">=2.5,<2.8");
  EXPECT_EQ(target({}, {"torch==2.6.0+cu126"}).torch, "2.6.0+cu126");
  EXPECT_EQ(target({}, {"cuda==12.4"}).torch, "");
}

TEST(ResolveEnvironment, OtherFrameworksAreTheInstalledRelease) {
  Installed venv = torch251();
  venv.environment.distributions.push_back({"jax", "0.4.35", "jax-0.4.35.dist-info", site});
  EXPECT_EQ(target(venv, {"env:/w/.venv", "jax[cuda12]>=0.4.31,<0.5"}).line.str(), "12.4");
  Finding other = refusal(venv, {"env:/w/.venv", "jax[cuda12]==0.5.0"});
  EXPECT_EQ(other.code, Code::Constraint);
  EXPECT_EQ(other.message, "the environment has jax 0.4.35, not what is declared");
  EXPECT_EQ(refusal(venv, {"env:/w/.venv", "vllm==0.9.0"}).message,
            "the environment has no vllm, not what is declared");
  // Nor are they taken from the tables if the environment has no CUDA.
  EXPECT_EQ(refusal(Installed(), {"env:/w/.venv", "jax[cuda12]==0.4.35"}).code, Code::Constraint);
}
