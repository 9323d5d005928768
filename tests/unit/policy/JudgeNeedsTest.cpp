// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/policy/BinaryJudging.h"

using namespace cudacc;
using namespace cudacc::core;
using cudacc::test::BinaryJudging;
using cudacc::test::extension;
using cudacc::test::import;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {
using JudgingNeeds = BinaryJudging;
} // namespace

// AV-E03, RL-7: xformers 0.0.33 beside torch 2.9.
TEST_F(JudgingNeeds, aLibraryOfAnotherMajorIsRefused) { // AV-E03, RL-7
  BinaryFacts facts = extension({import("libcudart.so.13", "cudaMalloc")}, {"libtorch.so"});
  ASSERT_THAT(judge("torch==2.9.0", facts), ElementsAre(Code::NotFound));
  EXPECT_EQ(findings[0].message, "the runtime has no libcudart.so.13");
  EXPECT_EQ(findings[0].library, "libcudart.so.13");
  EXPECT_EQ(fact(findings[0], "needed"), "libcudart.so.13 belongs to CUDA 13");
  EXPECT_THAT(fact(findings[0], "has"), HasSubstr("libcudart.so.12 (nvidia-cuda-runtime-cu12"));
  auto otherRuntime = HasSubstr("torch>=2.11.0 (CUDA 13.0)");
  const char *otherBuild = "link the libraries of CUDA 12";
  EXPECT_THAT(findings[0].fixes, ElementsAre(otherRuntime, otherBuild));
  EXPECT_THAT(judge("torch==2.11.0", facts), IsEmpty());
  input.atLink = true;
  judge("torch==2.9.0", facts);
  EXPECT_THAT(findings[0].fixes, ElementsAre(otherBuild, otherRuntime));
  input.otherRuntimes = nullptr;
  judge("torch==2.9.0", facts);
  EXPECT_THAT(findings[0].fixes, ElementsAre(otherBuild));
}

// It may be of a release that the tables do not know.
TEST_F(JudgingNeeds, anUnknownNumberBelongsToNoMajor) { // AV-E03
  ASSERT_THAT(judge("cuda==12.4", extension({}, {"libcudart.so.99"})), ElementsAre(Code::NotFound));
  EXPECT_EQ(fact(findings[0], "needed"), "libcudart.so.99");
  EXPECT_THAT(findings[0].fixes, Contains("link libcudart.so.12"));
}

// A major of which the tables have releases, but do not say which libraries it has.
TEST_F(JudgingNeeds, inAMajorWithUnknownLibrariesNothingIsAbsent) {
  Target target = targetOf("cuda==13.0");
  target.libraries.clear();
  for (unsigned major : {13u, 14u}) {
    target.line = {major, 0};
    EXPECT_THAT(judge(target, extension({}, {"libcusparse.so.11"})),
                ElementsAre(major == 13 ? Code::NotFound : Code::NoExportList));
  }
  EXPECT_EQ(outcome(), Outcome::Unknown);
}

// The major of a SONAME is not a CUDA major.
TEST_F(JudgingNeeds, sharedSonamesFitBothMajors) { // RL-7
  BinaryFacts facts = extension({}, {"libcusparse.so.12"});
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
  EXPECT_THAT(judge("cuda==13.0", facts), IsEmpty());
  EXPECT_THAT(judge("cuda==12.4", extension({}, {"libcusolver.so.12"})),
              ElementsAre(Code::NotFound));
}

TEST_F(JudgingNeeds, aFileForMuslWithCudaIsRefused) {
  for (const char *libc : {"libc.musl-x86_64.so.1", "libc.so"}) {
    EXPECT_THAT(judge("cuda==12.4", extension({}, {"libcudart.so.12", libc})),
                ElementsAre(Code::NotFound));
    EXPECT_EQ(outcome(), Outcome::Reject);
    EXPECT_THAT(judge("cuda==12.4", extension({}, {libc})), IsEmpty());
  }
  EXPECT_THAT(judge("cuda==12.4", extension({}, {"libcudart.so.12", "libc.so.6"})), IsEmpty());
}

// Apart from F11, the driver's libraries are not part of the runtime.
TEST_F(JudgingNeeds, driverAndSystemLibrariesAreNotTheRuntimes) {
  EXPECT_THAT(judge("cuda==12.4", extension({}, {"libcuda.so.1", "libnvidia-ml.so.1", "libc.so.6",
                                                 "libtorch.so"})),
              IsEmpty());
}

// GR-5, AV-U04: `cuda==12.4` does not determine cuDNN; this is reported and not an error.
TEST_F(JudgingNeeds, librariesThatTheDeclarationDoesNotDetermineAreNotChecked) { // AV-U04, GR-5
  BinaryFacts facts = extension({}, {"libcudnn.so.9"});
  ASSERT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::NoExportList));
  EXPECT_EQ(outcome(), Outcome::Accept);
  EXPECT_THAT(findings[0].fixes, ElementsAre("declare an environment that has it: env:PATH"));
  EXPECT_THAT(judge("torch==2.5.1", facts), IsEmpty());
  input.atLink = true;
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
  EXPECT_NE(find(Code::NoExportList), nullptr);
  // A part of the toolkit that no wheel has: its release was checked at the link.
  BinaryFacts cudla = extension({}, {"libcudla.so.1"});
  EXPECT_THAT(judge("cuda==13.0", cudla), IsEmpty());
  EXPECT_THAT(judge(targetOf("cuda==13.0", Enforce::Symbols), cudla),
              ElementsAre(Code::NoExportList));
  input.atLink = false;
  EXPECT_THAT(judge("cuda==13.0", cudla), ElementsAre(Code::NoExportList));
  EXPECT_EQ(outcome(), Outcome::Unknown);
}

// The wheel that had it is installed without it.
TEST_F(JudgingNeeds, aLibraryThatItsWheelNoLongerHasIsRefused) { // AV-E03
  BinaryFacts nvtx = extension({}, {"libnvToolsExt.so.1"});
  EXPECT_THAT(judge("torch==2.5.1", nvtx), IsEmpty());
  ASSERT_THAT(judge("cuda==12.9", nvtx), ElementsAre(Code::NotFound));
  EXPECT_EQ(fact(findings[0], "needed"), "libnvToolsExt.so.1");
  EXPECT_THAT(fact(findings[0], "has"), HasSubstr("nvidia-nvtx-cu12"));
  EXPECT_THAT(findings[0].fixes, Contains(HasSubstr("link libnvtx")));
  ASSERT_THAT(judge("cuda==13.0", nvtx), ElementsAre(Code::NotFound));
  EXPECT_THAT(fact(findings[0], "needed"), HasSubstr("belongs to CUDA 11 and 12"));
  EXPECT_THAT(findings[0].fixes, Contains("link the libraries of CUDA 13"));
  BinaryFacts cudnn = extension({}, {"libcudnn.so.8"});
  EXPECT_THAT(judge("torch==2.3.1", cudnn), IsEmpty());
  ASSERT_THAT(judge("torch==2.5.1", cudnn), ElementsAre(Code::NotFound));
  EXPECT_THAT(fact(findings[0], "has"), HasSubstr("libcudnn.so.9"));
}

// The environment was read, and no folder that the loader searches has the library.
TEST_F(JudgingNeeds, aLibraryThatAnEnvironmentLacksIsRefused) { // AV-E03
  Target target = targetOf("cuda==12.4");
  target.sitePackages = {"/venv/lib/python3.11/site-packages"};
  BinaryFacts facts = extension({}, {"libcudnn.so.9"});
  LoadResult load;
  load.failure = "libcudnn.so.9: cannot open shared object file: No such file or directory";
  load.missing = "libcudnn.so.9";
  load.askedBy = facts.path;
  input.load = &load;
  ASSERT_THAT(judge(target, facts), ElementsAre(Code::NotFound));
  EXPECT_THAT(findings[0].fixes, ElementsAre("pip install nvidia-cudnn-cu12"));
  input.load = nullptr;
  ASSERT_THAT(judge(target, facts), ElementsAre(Code::NoExportList)) << "it was not searched for";
  EXPECT_THAT(findings[0].fixes, ElementsAre("pip install nvidia-cudnn-cu12"));
}

TEST_F(JudgingNeeds, aLibraryOfNoWheelIsNotInstalledByPip) { // AV-E03
  Target target = targetOf("cuda==13.0");
  target.sitePackages = {"/venv/lib/python3.11/site-packages"};
  BinaryFacts facts = extension({}, {"libcudla.so.1"});
  ASSERT_THAT(judge(target, facts), ElementsAre(Code::NoExportList));
  EXPECT_THAT(findings[0].fixes, IsEmpty());
  LoadResult load;
  load.failure = "libcudla.so.1: cannot open shared object file: No such file or directory";
  load.missing = "libcudla.so.1";
  input.load = &load;
  ASSERT_THAT(judge(target, facts), ElementsAre(Code::NotFound));
  EXPECT_THAT(findings[0].fixes, IsEmpty());
}

// Others load it, or another one with these names.
TEST_F(JudgingNeeds, aLibraryThatIsOnlyUsedMayBeUndetermined) { // AV-U04
  Target target = targetOf("cuda==12.4");
  llvm::erase_if(target.libraries,
                 [](const TargetLibrary &each) { return each.soname == "libnvjpeg.so.12"; });
  BinaryFacts facts = extension({{"nvjpegCreateSimple", "", "", false}});
  ASSERT_THAT(judge(target, facts), ElementsAre(Code::NoExportList));
  EXPECT_EQ(outcome(), Outcome::Accept);
  facts.needed = {"libnvjpeg.so.12"};
  ASSERT_THAT(judge(target, facts), ElementsAre(Code::NoExportList));
  EXPECT_EQ(outcome(), Outcome::Unknown);
  EXPECT_THAT(judge(target, extension({{"__nvJitLinkCreate_13_0", "", "", false}})),
              ElementsAre(Code::NotFound));
  EXPECT_EQ(outcome(), Outcome::Reject) << "no library of the runtime has these names";
}

// UAPI.12: code that opens a library can continue without it.
TEST_F(JudgingNeeds, dlopenMetadataIsWarnedAbout) { // AV-I06
  BinaryFacts facts = extension({});
  facts.dlopens = {"libnvrtc.so.13"};
  ASSERT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::NotFound));
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_NE(find(Code::DlopenMetadata), nullptr);
  facts.dlopens = {"libnvrtc.so.12"};
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
}

// SY-15: `patchelf --remove-needed` leaves the version requirement.
TEST_F(JudgingNeeds, aVersionNeedWithoutNeededIsRefused) { // AV-E04, SY-15
  BinaryFacts facts = extension({import("libcudart.so.12", "cudaMalloc")});
  facts.versionFiles = {"libcudart.so.12", "libc.so.6", "ld-linux-x86-64.so.2"};
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
  facts.needed.clear();
  ASSERT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::VersionNodes));
  EXPECT_EQ(outcome(), Outcome::Reject);
  // After the framework it may already be loaded.
  facts.needed = {"libtorch.so"};
  judge("torch==2.5.1", facts);
  ASSERT_NE(find(Code::VersionNodes), nullptr);
  EXPECT_EQ(find(Code::VersionNodes)->severity, Severity::Warning);
  LoadResult load;
  load.steps.resize(2);
  load.steps[1].name = load.steps[1].path = "/x/libother.so";
  input.load = &load;
  judge("torch==2.5.1", facts);
  EXPECT_NE(find(Code::VersionNodes), nullptr);
  for (const char *name : {"libcudart.so.12", "/x/libcudart.so.12"}) {
    load.steps[1].name = load.steps[1].path = name;
    judge("torch==2.5.1", facts);
    EXPECT_EQ(find(Code::VersionNodes), nullptr) << name;
  }
}

// SY-14.
TEST_F(JudgingNeeds, aProviderWithoutVersionsIsRefused) { // AV-E04, SY-14
  Target target = targetOf("cuda==12.4");
  rowOf(target, "libcudart.so.12").path = "/venv/libcudart.so.12";
  installed["libcudart.so.12"] = {"cudaMalloc"};
  BinaryFacts facts = extension({import("libcudart.so.12", "cudaMalloc")});
  EXPECT_THAT(judge(target, facts), IsEmpty());
  haveVersions = std::nullopt;
  EXPECT_THAT(judge(target, facts), IsEmpty());
  haveVersions = false;
  EXPECT_THAT(judge(target, facts), ElementsAre(Code::VersionNodes));
  LoadResult load;
  input.load = &load;
  EXPECT_THAT(judge(target, facts), IsEmpty()) << "the simulated process has met it";
  input.load = nullptr;
  // An unversioned import does not check versions.
  facts.imports[0].file = facts.imports[0].version = "";
  EXPECT_THAT(judge(target, facts), IsEmpty());
}

// SY-12, SY-13 from the tables; SY-17: a library without version nodes satisfies imports anyway.
TEST_F(JudgingNeeds, aNodeThatTheLibraryLacksIsRefused) { // AV-E04, SY-13, SY-17
  BinaryFacts facts = extension({import("libcudart.so.12", "cudaMalloc")});
  facts.imports[0].version = "libcudart.so.12.x";
  EXPECT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::VersionNodes));
  BinaryFacts nodeless = extension({import("libnvfatbin.so.13", "nvFatbinCreate")});
  Target target = targetOf("cuda==13.0");
  EXPECT_THAT(judge(target, nodeless), IsEmpty());
  target = targetOf("cuda==12.4");
  setVersion(target, "libcudart.so.12", "12.99.1");
  judge(target, facts);
  EXPECT_EQ(find(Code::VersionNodes), nullptr) << "a version that was not read may have the node";
  rowOf(target, "libcudart.so.12").dist = "";
  judge(target, facts);
  EXPECT_EQ(find(Code::VersionNodes), nullptr) << "no wheel of that name was read";
}

// The number of entries in a hostile file costs neither time nor memory.
TEST_F(JudgingNeeds, thousandsOfBrokenRulesAreOneList) {
  BinaryFacts facts = extension({});
  for (unsigned i = 0; i < 1u << 12; ++i) {
    std::string number = std::to_string(i);
    facts.needed.push_back("libcudart.so.x" + number);
    facts.needed.push_back("libcudart-96c42e41.so." + number);
    facts.versionFiles.push_back("libx" + number);
    facts.runpath.push_back("/opt/" + number);
    facts.imports.push_back({"nccl" + number, "", "", false});
    facts.imports.push_back(import("libcudart.so.12", "cudaNew"));
    facts.imports.back().symbol += number;
  }
  facts.needed.push_back("libnccl.so.2");
  facts.needed.push_back("libcudart.so.12");
  facts.hasRunpath = true;
  judge("torch==2.5.1", facts);
  EXPECT_EQ(outcome(), Outcome::Reject);
  EXPECT_LT(findings.size(), 6 * 65u);
  EXPECT_THAT(fact(*find(Code::ImportMissing), "symbols"), HasSubstr(", and 3584 more"));
  EXPECT_TRUE(llvm::any_of(findings, [](const Finding &finding) {
    return finding.code == Code::AbsolutePath && fact(finding, "and") == "4088 more";
  }));
}
