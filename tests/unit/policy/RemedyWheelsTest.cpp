// SPDX-License-Identifier: Apache-2.0
// Which wheels are installed.
#include "tests/unit/policy/Processes.h"

using namespace cudacc;
using namespace cudacc::core;
using cudacc::test::Processes;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

namespace {

struct RemedyWheels : Processes {
  policy::RemedyContext context;
  std::vector<InstalledDistribution> claimed;

  RemedyWheels() { context.pip = "pip install"; }
  std::vector<std::string> commands() {
    context.claimed = claimed;
    std::vector<std::string> commands;
    for (const policy::Remedy &each : policy::remediesFor(made(), context))
      if (each.kind == policy::Remedy::Kind::Wheel)
        llvm::append_range(commands, each.commands);
    return commands;
  }
  TargetLibrary &rowOf(llvm::StringRef soname) {
    return *llvm::find_if(installed.libraries,
                          [&](const TargetLibrary &each) { return each.soname == soname; });
  }
  TargetLibrary &add(const char *soname, const char *dist, const char *version) {
    TargetLibrary &row = installed.libraries.emplace_back();
    row.soname = soname;
    row.dist = dist;
    row.version = *versions::Version::parse(version);
    row.path = std::string("/env/") + soname;
    row.folder = "nvidia/lib";
    return row;
  }
  /// The environment's nvJitLink lacks a name that 12.5 has.
  void lacksNameOf125(const char *version) {
    lacks("__nvJitLinkCreate_12_5", "libnvJitLink.so.12");
    rowOf("libnvJitLink.so.12").version = *versions::Version::parse(version);
  }
};

} // namespace

TEST_F(RemedyWheels, aNewerOneThatHasTheNamesIsTaken) {
  lacksNameOf125("12.1.105");
  EXPECT_THAT(commands(), ElementsAre("pip install 'nvidia-nvjitlink-cu12>=12.5,<13'"));
  // A copy of 12.5 without the name is none of NVIDIA's.
  lacksNameOf125("12.5.40");
  EXPECT_THAT(commands(), ElementsAre("pip install 'nvidia-nvjitlink-cu12>=12.5.82,<13'"));
  lacks("noSuchName", "libnvJitLink.so.12");
  EXPECT_THAT(commands(), IsEmpty());
}

TEST_F(RemedyWheels, aLibraryWithNumbersOfItsOwnHasNoUpperBound) {
  add("libnccl.so.2", "nvidia-nccl-cu12", "2.18.1");
  lacks("ncclMemAlloc", "libnccl.so.2");
  EXPECT_THAT(commands(), ElementsAre("pip install 'nvidia-nccl-cu12>=2.19'"));
}

TEST_F(RemedyWheels, whatTorchRequiresIsTakenIfItHasTheNames) {
  installed.torch = "2.7.0+cu126";
  installed.line = {12, 6};
  lacksNameOf125("12.1.105");
  EXPECT_THAT(commands(), ElementsAre("pip install nvidia-nvjitlink-cu12==12.6.85",
                                      "pip install 'nvidia-nvjitlink-cu12>=12.5,<13'"));
  // Another distribution of that version changes nothing.
  claimed.resize(1);
  claimed[0].name = "other";
  claimed[0].version = "12.6.85";
  EXPECT_EQ(commands()[0], "pip install nvidia-nvjitlink-cu12==12.6.85");
  claimed[0].name = "nvidia-nvjitlink-cu12";
  EXPECT_EQ(commands()[0],
            "pip install --force-reinstall --no-deps nvidia-nvjitlink-cu12==12.6.85");
  lacksNameOf125("12.6.85");
  EXPECT_EQ(commands().size(), 1u);
  installed.torch = "2.5.1+cu124";
  installed.line = {12, 4};
  lacksNameOf125("12.1.105");
  EXPECT_THAT(commands(), ElementsAre("pip install 'nvidia-nvjitlink-cu12>=12.5,<13'"));
}

TEST_F(RemedyWheels, condaRaisesOnlyWhatItInstalled) {
  lacksNameOf125("12.4.127");
  TargetLibrary &row = rowOf("libnvJitLink.so.12");
  copies = {{"libcublas.so.12", "/other", "environment", "libcublas", "12.4", {}},
            {"libnvJitLink.so.12", row.path, "environment", "libnvjitlink", "12.4.127", {}}};
  context.conda = "conda install";
  EXPECT_THAT(commands(), ElementsAre("pip install 'nvidia-nvjitlink-cu12>=12.5,<13'"));
  row.folder.clear();
  EXPECT_THAT(commands(), ElementsAre("conda install 'libnvjitlink>=12.5,<13'"));
  context.conda.clear();
  EXPECT_THAT(commands(), ElementsAre("pip install 'nvidia-nvjitlink-cu12>=12.5,<13'"));
}

TEST_F(RemedyWheels, oneCommandInstallsAllThatTheFileNeeds) {
  lacksFile("libcublas.so.12");
  file.needed = {"libcublas.so.12", "libcublasLt.so.12", "libcufft.so.11", "libcudart.so.12",
                 "libm.so.6"};
  EXPECT_THAT(commands(),
              ElementsAre("pip install nvidia-cublas-cu12==12.4.5.8 nvidia-cufft-cu12==11.2.1.3"));
}

TEST_F(RemedyWheels, noneIsInstalledThatDoesNotBringWhatIsMissing) {
  lacksFile("libown.so.1");
  file.needed = {"libcublas.so.12"};
  EXPECT_THAT(commands(), IsEmpty());
  // Without torch nothing says which cuDNN.
  lacksFile("libcudnn.so.9");
  EXPECT_THAT(commands(), IsEmpty());
}

TEST_F(RemedyWheels, theWheelOfALibraryThatLacksAPartIsInstalledAgain) {
  const char *cudnn = "/env/libcudnn.so.9";
  load.notOpened = {{"libcudnn_ops.so.9", cudnn}};
  copies = {
      {"libcublas.so.12", "/env/libcublas.so.12", "environment", "nvidia-cublas-cu12", "1", {}},
      {"libcudnn.so.9", cudnn, "environment", "nvidia-cudnn-cu12", "9.1.0.70", {}}};
  EXPECT_THAT(commands(),
              ElementsAre("pip install --force-reinstall --no-deps nvidia-cudnn-cu12==9.1.0.70"));
  copies[1].version.clear();
  EXPECT_THAT(commands(), IsEmpty());
  copies[1].version = "9.1.0.70";
  copies[1].dist.clear();
  EXPECT_THAT(commands(), IsEmpty());
}

// torch 2.5 asks for cuDNN 9.1.
TEST_F(RemedyWheels, aLibraryThatTorchRefusesIsRaised) {
  std::vector<InstalledDistribution> distributions = {{"torch", "2.5.1", "", "", true}};
  process.distributions = distributions;
  take("libtorch_cuda.so", "/env/site/torch/lib", "", "opened by its path");
  take("libcudnn_graph.so.9", "/env", "9.0.0.312", "RPATH /env");
  TargetLibrary &row = add("libcudnn_graph.so.9", "nvidia-cudnn-cu12", "9.0.0.312");
  EXPECT_THAT(commands(), ElementsAre("pip install nvidia-cudnn-cu12==9.1.0.70"));
  row.dist = "cudnn-of-ones-own";
  EXPECT_THAT(commands(), IsEmpty());
}
