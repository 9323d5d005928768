// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/policy/Processes.h"

using namespace cudacc;
using namespace cudacc::core;
using cudacc::test::Processes;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {
struct VersionRules : Processes {
  std::vector<InstalledDistribution> distributions;

  /// A process of torch 2.8.0 for CUDA 12.8, which was built with cuDNN 9.8.
  VersionRules() {
    installed.line = {12, 8};
    has("torch", "2.8.0");
    take("libtorch_cuda.so", "/env/site/torch/lib", "", "opened by its path");
  }
  void has(const char *name, const char *version) {
    distributions.push_back({name, version, "", "", true});
    process.distributions = distributions;
  }
  void opens(const char *part, const char *version, std::vector<std::string> lacked = {}) {
    LoadedCopy copy;
    copy.name = part;
    copy.path = std::string("/old/") + part;
    copy.version = version;
    copy.because = "LD_LIBRARY_PATH";
    process.parts.push_back({part, "/cudnn/libcudnn.so.9", copy, std::move(lacked)});
  }
};
} // namespace

TEST_F(VersionRules, torchRefusesAnOlderCudnnThanItWasBuiltWith) {
  opens("libcudnn_graph.so.9", "9.1.0.70");
  EXPECT_THAT(errors(), ElementsAre(Code::Floor));
  EXPECT_EQ(findings[0].message, "torch 2.8.0 refuses libcudnn_graph.so.9 9.1.0.70: it needs 9.8");
  EXPECT_EQ(findings[0].library, "libcudnn_graph.so.9");
  for (const char *version : {"9.8.0", "9.8.0.87", "9.10.2.21", "10.0"}) {
    process.parts.clear();
    opens("libcudnn_graph.so.9", version);
    EXPECT_THAT(errors(), IsEmpty()) << version;
  }
}

TEST_F(VersionRules, theRuleIsForOneLibrary) {
  opens("libcudnn_ops.so.9", "9.1.0.70");
  EXPECT_THAT(errors(), IsEmpty());
}

TEST_F(VersionRules, eachRefusedLibraryIsReported) {
  distributions.clear();
  has("torch", "2.1.0");
  has("jax-cuda12-plugin", "0.5.0");
  installed.line = {12, 1};
  take("_versions.so", "/env/site/jax_cuda12_plugin", "", "opened by its path");
  take("libcudnn.so.8", "/old", "8.5.0.96", "LD_LIBRARY_PATH");
  opens("libcudnn_graph.so.9", "9.0.0.312");
  EXPECT_THAT(errors(), ElementsAre(Code::Floor, Code::Floor));
}

TEST_F(VersionRules, anUnknownVersionIsNotRefused) {
  opens("libcudnn_graph.so.9", "");
  EXPECT_THAT(errors(), IsEmpty());
}

TEST_F(VersionRules, theRuleIsForTheBuildThatWasRead) {
  opens("libcudnn_graph.so.9", "9.1.0.70");
  installed.line = {12, 6};
  EXPECT_THAT(errors(), IsEmpty());
}

// A build of conda's, of the user's, or of another index may have been made with an older cuDNN.
TEST_F(VersionRules, theRuleIsForWhatAnIndexHas) {
  opens("libcudnn_graph.so.9", "9.1.0.70");
  EXPECT_THAT(errors(), ElementsAre(Code::Floor));
  distributions[0].isPublished = false;
  EXPECT_THAT(errors(), IsEmpty());
  for (const char *version : {"2.8.0+nv25.8", "2.8.0+cu128", "2.8.0a0", "2.16.0", "", "?"}) {
    distributions.clear();
    has("torch", version);
    EXPECT_THAT(errors(), IsEmpty()) << version;
  }
}

TEST_F(VersionRules, ofTwoInstallationsNoneIsJudged) {
  has("torch", "2.6.0");
  opens("libcudnn_graph.so.9", "9.1.0.70");
  EXPECT_THAT(errors(), IsEmpty());
}

TEST_F(VersionRules, theRuleIsForAProcessWithTorch) {
  opens("libcudnn_graph.so.9", "9.1.0.70");
  loaded.clear();
  EXPECT_THAT(errors(), IsEmpty());
}

TEST_F(VersionRules, eachReleaseHasItsOwn) {
  distributions.clear();
  has("torch", "2.5.1");
  installed.line = {12, 4};
  opens("libcudnn_graph.so.9", "9.1.0.70");
  EXPECT_THAT(errors(), IsEmpty());
}

TEST_F(VersionRules, xlaRefusesOneForBothOfItsPackagesOnce) {
  has("jax-cuda12-plugin", "0.10.2");
  has("jax-cuda12-pjrt", "0.10.2");
  loaded.clear();
  take("_versions.so", "/env/site/jax_cuda12_plugin", "", "opened by its path");
  opens("libcudnn_graph.so.9", "9.1.0.70");
  EXPECT_THAT(errors(), ElementsAre(Code::Floor));
  EXPECT_THAT(findings[0].message, HasSubstr("jax-cuda12-plugin 0.10.2 refuses"));
  EXPECT_EQ(findings[0].facts.back().label, "raises");
}

TEST_F(VersionRules, tensorflowRefusesAnOlderCudnnThanItWasBuiltWith) {
  distributions.clear();
  has("tensorflow", "2.17.0");
  loaded.clear();
  take("libtensorflow_framework.so.2", "/env/site/tensorflow", "", "opened by its path");
  take("libcudnn.so.8", "/old", "8.6.0.163", "LD_LIBRARY_PATH");
  EXPECT_THAT(errors(), ElementsAre(Code::Floor));
  EXPECT_EQ(findings[0].message, "tensorflow 2.17.0 refuses libcudnn.so.8 8.6.0.163: it needs 8.9");
  loaded.back().version = "8.9.0.131";
  EXPECT_THAT(errors(), IsEmpty());
  // A build that lies elsewhere was not read.
  loaded.clear();
  take("libtensorflow_framework.so.2", "/env/lib", "", "opened by its path");
  take("libcudnn.so.8", "/old", "8.6.0.163", "LD_LIBRARY_PATH");
  EXPECT_THAT(errors(), IsEmpty());
}

TEST_F(VersionRules, aPartLacksWhatItsOpenerLooksUp) {
  take("libcudnn.so.9", "/cudnn", "9.10.2.21", "RPATH");
  distributions.clear();
  process.distributions = {};
  opens("libcudnn_graph.so.9", "", {"cudnnBackendPopulateCudaGraph", "cudnnGetLibConfig"});
  EXPECT_THAT(errors(), ElementsAre(Code::Floor));
  EXPECT_EQ(findings[0].message, "libcudnn.so.9 9.10.2.21 opens a libcudnn_graph.so.9 that lacks "
                                 "cudnnBackendPopulateCudaGraph");
  process.parts.clear();
  opens("libcudnn_graph.so.9", "");
  EXPECT_THAT(errors(), IsEmpty());
}

TEST_F(VersionRules, aPartIsDescribedByItsPlaceAndWhatItLacks) {
  auto factOf = [&](llvm::StringRef label) {
    for (const Fact &fact : findings.front().facts)
      if (fact.label == label)
        return fact.text;
    return std::string();
  };
  take("libcudnn.so.9", "/cudnn", "9.10.2.21", "RPATH");
  process.distributions = {};
  opens("libcudnn_graph.so.9", "9.1.0.70", {"cudnnGetLibConfig"});
  ASSERT_THAT(errors(), ElementsAre(Code::Floor));
  EXPECT_EQ(factOf("taken"), "9.1.0.70 at /old/libcudnn_graph.so.9");
  EXPECT_EQ(factOf("when"), "at its first call");
  EXPECT_EQ(factOf("symbols"), "");
  process.parts[0].copy.version.clear();
  process.parts[0].endsProcess = true;
  process.parts[0].lacked.push_back("cudnnGetVersion");
  ASSERT_THAT(errors(), ElementsAre(Code::Floor));
  EXPECT_EQ(factOf("taken"), "/old/libcudnn_graph.so.9");
  EXPECT_EQ(factOf("when"), "at its first call, which ends the process");
  EXPECT_EQ(factOf("symbols"), "cudnnGetLibConfig, cudnnGetVersion");
  // What would open it is not loaded.
  loaded.clear();
  EXPECT_THAT(errors(), IsEmpty());
}

TEST_F(VersionRules, theFolderThatPartsComeFromIsTakenOut) {
  libraryPath = {"/old"};
  opens("libcudnn_graph.so.9", "9.1.0.70");
  process.parts[0].copy.element = "/old";
  auto remedies = ways();
  ASSERT_FALSE(remedies.empty());
  EXPECT_EQ(remedies[0].text, "take /old out of LD_LIBRARY_PATH");
}

TEST_F(VersionRules, theWheelIsRaisedToTheLowestVersionThatIsTaken) {
  distributions.clear();
  has("jax-cuda12-plugin", "0.10.2");
  loaded.clear();
  take("_versions.so", "/env/site/jax_cuda12_plugin", "", "opened by its path");
  take("libcudnn_graph.so.9", "/env/site/nvidia/cudnn/lib", "9.1.0.70", "RPATH");
  TargetLibrary row;
  row.soname = "libcudnn_graph.so.9";
  row.dist = "nvidia-cudnn-cu12";
  row.path = "/env/site/nvidia/cudnn/lib/libcudnn_graph.so.9";
  row.version = *versions::Version::parse("9.1.0.70");
  installed.libraries.push_back(row);
  auto remedies = ways();
  ASSERT_THAT(remedies, testing::Not(IsEmpty()));
  EXPECT_THAT(remedies[0].commands, ElementsAre("pip install nvidia-cudnn-cu12==9.8.0.87"));
}
