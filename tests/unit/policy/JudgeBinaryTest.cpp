// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/BinaryCase.h"
#include "tests/unit/policy/BinaryJudging.h"

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using cudacc::test::BinaryJudging;
using cudacc::test::extension;
using cudacc::test::import;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {
struct JudgingBinary : BinaryJudging {
  static constexpr const char *cudart = "libcudart.so.12";
  static constexpr const char *later = "cudaGetDriverEntryPointByVersion";
  Target target = targetOf("cuda==12.4");
  LoadResult load;
  unsigned runtimesJudged = 0;

  std::vector<Finding> judge(const Target &other) override {
    ++runtimesJudged;
    return BinaryJudging::judge(other);
  }
  using BinaryJudging::judge;

  size_t countOf(Code code) const {
    return llvm::count_if(findings, [&](const Finding &each) { return each.code == code; });
  }
};

/// NEEDs that many copies of cudart, each of which is a finding.
BinaryFacts withCopies(unsigned count) {
  BinaryFacts facts = extension({});
  for (unsigned i = 0; i != count; ++i)
    facts.needed.push_back("libcudart-96c42e41.so." + std::to_string(i));
  return facts;
}
} // namespace

TEST_F(JudgingBinary, findingsOfOneKindBeyondTheSixtyFourthAreCounted) {
  judge(target, withCopies(64));
  EXPECT_EQ(countOf(Code::GraftedCopy), 64u);
  for (const Finding &finding : findings)
    EXPECT_EQ(fact(finding, "and"), "");
  BinaryFacts facts = withCopies(66);
  facts.executableStack = true;
  judge(target, facts);
  EXPECT_EQ(countOf(Code::GraftedCopy), 64u);
  ASSERT_NE(findings.back().code, Code::GraftedCopy);
  for (const Finding &finding : findings) {
    bool isLast = finding.message.find(".so.63 ") != std::string::npos;
    EXPECT_EQ(fact(finding, "and"), isLast ? "2 more of this kind" : "") << finding.message;
  }
}

TEST_F(JudgingBinary, aMangledNameIsAFactOfItsOwn) {
  judge(target, extension({import(cudart, "_ZN4cuda10noSuchNameEv")}));
  ASSERT_NE(find(Code::ImportMissing), nullptr);
  EXPECT_EQ(find(Code::ImportMissing)->message, "libcudart.so.12 lacks cuda::noSuchName");
  EXPECT_EQ(fact(*find(Code::ImportMissing), "symbol"), "_ZN4cuda10noSuchNameEv");
}

TEST_F(JudgingBinary, theFirst512NamesAreListed) {
  std::vector<llvm::StringRef> names(512, "x");
  EXPECT_THAT(policy::listOf(names), Not(HasSubstr("more")));
  names.push_back("y");
  EXPECT_THAT(policy::listOf(names), testing::EndsWith("x, and 1 more"));
}

// A remark that a name's library is not NEEDED rejects nothing: the newer records stay unused.
TEST_F(JudgingBinary, onlyAnErrorRejects) {
  input.atLink = true;
  BinaryFacts facts = extension({{"cudaMalloc", "", "", false}});
  facts.manifest.objects = {{{"cuda-cc-0.1.0", "12.5.82", "12.5", "gcc-12.2.0"}, 1}};
  EXPECT_THAT(judge(targetOf("cuda==12.4", Enforce::Symbols), facts),
              ElementsAre(Code::NewerButUnused));
  ASSERT_NE(find(Code::NotFound), nullptr);
}

TEST_F(JudgingBinary, aRuntimeIsJudgedOnce) {
  judge(target, extension({import(cudart, later)}));
  unsigned forOne = runtimesJudged;
  EXPECT_NE(forOne, 0u);
  runtimesJudged = 0;
  judge(target,
        extension({import(cudart, later), import("libnvrtc.so.12", "nvrtcSetFlowCallback")}));
  EXPECT_EQ(countOf(Code::ImportMissing), 2u);
  EXPECT_EQ(runtimesJudged, forOne);
}

TEST_F(JudgingBinary, usersOfAPackageAreToldOfItsBuildForTheirCuda) {
  input.package = "mine";
  judge(target, extension({import(cudart, later)}));
  EXPECT_THAT(findings.at(0).fixes,
              Contains("install a release of mine that is built for CUDA 12, up to 12.4"));
  judge(target, extension({}, {"libcudart.so.13"}));
  EXPECT_THAT(findings.at(0).fixes, Contains(HasSubstr("that is built for CUDA 12")));
}

TEST_F(JudgingBinary, anotherBuildDoesNotReachWhatIsThere) {
  input.package = "mine";
  input.load = &load;
  load.askedBy = "x.whl!pkg/ext.so";
  BinaryFacts facts = extension({}, {"libcufft.so.11", "libown.so.1"});
  facts.path = load.askedBy;
  for (const char *name : {"libcufft.so.11", "libown.so.1"}) {
    load.missing = name;
    load.elsewhere = name == std::string("libown.so.1") ? "pkg/lib/libown.so.1" : "";
    load.failure = std::string(name) + ": cannot open shared object file";
    judge(target, facts);
    ASSERT_NE(find(Code::NotFound), nullptr) << name;
    EXPECT_THAT(find(Code::NotFound)->fixes,
                Contains("ask the maintainers of mine to mend its search path"))
        << name;
    EXPECT_THAT(find(Code::NotFound)->fixes, Each(Not(HasSubstr("built for CUDA")))) << name;
  }
}

TEST_F(JudgingBinary, eachFolderThatTheLoaderSearchedIsNamedOnce) {
  load.searched = {"/a", "/b", "/a"};
  EXPECT_EQ(policy::searchedText(load), "/a, /b");
  load.searched.clear();
  EXPECT_EQ(policy::searchedText(load), "no directory");
}

TEST_F(JudgingBinary, theDepthOfAFileIsThatBelowItsOwnRoot) {
  target.sitePackages = {"/venv/site-packages", "/base/site-packages"};
  EXPECT_EQ(policy::depthOf("/base/site-packages/pkg/sub/ext.so", target), 2);
  EXPECT_EQ(policy::depthOf("/venv/site-packages/ext.so", target), 0);
  EXPECT_EQ(policy::depthOf("/elsewhere/ext.so", target), std::nullopt);
}

TEST_F(JudgingBinary, aCallersFloorsAreTaken) {
  BinaryFacts facts = extension({import(cudart, later)});
  judge(target, facts);
  EXPECT_EQ(fact(findings.at(0), "needs"), "nvidia-cuda-runtime-cu12>=12.5,<13");
  std::vector<LibraryFloor> floors = policy::floorsOf(facts, 12);
  floors.at(0).requirement = "the caller's";
  input.floors = &floors;
  judge(target, facts);
  EXPECT_EQ(fact(findings.at(0), "needs"), "the caller's");
}

TEST_F(JudgingBinary, librariesOfTheSystemDefineNothingOfCuda) {
  for (const char *soname :
       {"ld-linux-x86-64.so.2", "libpython3.12.so.1.0", "libc.so.6", "libstdc++.so.6"})
    EXPECT_TRUE(policy::isSystemLibrary(soname)) << soname;
  for (const char *soname : {"libmine.so", "libcudart.so.12", "libcurl.so.4"})
    EXPECT_FALSE(policy::isSystemLibrary(soname)) << soname;
}

TEST_F(JudgingBinary, whatOneOfSeveralLibrariesDefinesIsDefined) {
  policy::Others both{{"/w/libone.so", "/w/libtwo.so"}};
  EXPECT_EQ(policy::definedBy(*this, both, "f"), Exported::No);
  installed["libtwo.so"] = {"f"};
  EXPECT_EQ(policy::definedBy(*this, both, "f"), Exported::Yes);
  EXPECT_EQ(policy::definedBy(*this, both, "g"), Exported::No);
}

TEST_F(JudgingBinary, aLibraryThatCouldNotBeReadLeavesOpenWhatTheOthersLack) {
  policy::Others unread{{ofOthers.paths.front(), "/w/libtwo.so"}};
  others = Exported::Unknown;
  EXPECT_EQ(policy::definedBy(*this, unread, "f"), Exported::Unknown);
  installed["libtwo.so"] = {"f"};
  EXPECT_EQ(policy::definedBy(*this, unread, "f"), Exported::Yes);
  policy::Others notAll{{"/w/libone.so"}, /*isComplete=*/false};
  EXPECT_EQ(policy::definedBy(*this, notAll, "f"), Exported::Unknown);
}

TEST_F(JudgingBinary, whatASimulatedProcessBoundIsDefined) {
  BinaryFacts facts = extension({{"cudaNoSuchThing", "", "", false}}, {cudart});
  EXPECT_THAT(judge(target, facts), ElementsAre(Code::ImportMissing));
  input.unbound.emplace();
  EXPECT_THAT(judge(target, facts), IsEmpty());
  input.unbound = {"cudaNoSuchThing"};
  EXPECT_THAT(judge(target, facts), ElementsAre(Code::ImportMissing));
  input.unbound = {"another"};
  EXPECT_THAT(judge(target, facts), ElementsAre(Code::NoExportList));
}

TEST_F(JudgingBinary, aToolkitNearbyIsOfTheFilesMachine) {
  nearby = {{"/opt/cuda-12.4", {12, 4}, {"x86_64-linux"}}};
  BinaryFacts facts = extension({import(cudart, later)});
  judge(target, facts);
  EXPECT_THAT(findings.at(0).fixes, Contains(HasSubstr("/opt/cuda-12.4")));
  facts.machine = 21;
  judge(target, facts);
  EXPECT_THAT(findings.at(0).fixes, Contains("use a CUDA toolkit <= 12.4"));
}

TEST_F(JudgingBinary, aFileWithDeviceCodeAloneUsesCuda) {
  Target other = target;
  other.machine = 183;
  other.sitePackages = {"/v/site-packages"};
  BinaryFacts facts = extension({}, {"libc.so.6"});
  EXPECT_THAT(judge(other, facts), IsEmpty());
  facts.device.units.emplace_back();
  EXPECT_THAT(judge(other, facts), ElementsAre(Code::OtherMachine));
}
