// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/policy/BinaryJudging.h"

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using cudacc::test::BinaryJudging;
using cudacc::test::extension;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

struct JudgingLoading : BinaryJudging {
  LoadResult load;
  JudgingLoading() { input.load = &load; }

  void missing(const char *name, const char *askedBy = "/w/ext.so") {
    load.missing = name;
    load.askedBy = askedBy;
    load.failure = std::string(name) + ": cannot open shared object file";
    load.searched = {"/w"};
  }
  void loads(const char *name, const char *askedBy, LoadedBy by = LoadedBy::Runpath) {
    load.steps.push_back({name, askedBy, by, std::string("/x/") + name, "", "", {}});
  }
  /// What is said of the file whose libraries cannot be found.
  const Finding &notFound(const Target &target, const BinaryFacts &facts) {
    judge(target, facts);
    static const Finding none;
    const Finding *found = find(Code::NotFound);
    EXPECT_NE(found, nullptr);
    return found ? *found : none;
  }
};

/// A program whose search path leads to /cuda/lib64, a folder that wheels do not have.
struct JudgingHere : JudgingLoading {
  BinaryFacts facts = extension({}, {"libcufft.so.11", "libcudart.so.12"});
  policy::LoadedHere here;

  JudgingHere() {
    facts.path = "/w/main";
    facts.kind = BinaryKind::Executable;
    facts.runpath = {"/cuda/lib64"};
    facts.hasRunpath = true;
    missing("libcufft.so.11", "/w/main");
    take("libcufft.so.11", "/cuda/lib64", "/w/main");
    take("libcudart.so.12", "/cuda/lib64", "/w/main");
    take("libnvJitLink.so.12", "$ORIGIN", "/cuda/lib64/libcufft.so.11");
  }

  void take(std::string name, const char *element, const char *of) {
    std::string path = "/cuda/lib64/" + name;
    here.releases[path] = {12, 4};
    here.load.steps.push_back({std::move(name), of, LoadedBy::Runpath, path, element, of, {}});
  }

  std::vector<Code> judgeIt(const Target &target) {
    input.facts = &facts;
    input.target = &target;
    input.here = policy::asksHere(input) ? &here : nullptr;
    return judge(target, facts);
  }
  std::vector<Code> judgeIt(const char *runtime = "cuda==12.4") {
    return judgeIt(targetOf(runtime));
  }
};

} // namespace

// The layout of wheels is not declared: `cuda==12.4` declares libraries, not their places.
TEST_F(JudgingHere, aProgramThatRunsHereAndNotBesideWheelsIsAWarning) {
  ASSERT_THAT(judgeIt(), ElementsAre(Code::OtherLayout));
  const Finding &finding = *find(Code::OtherLayout);
  EXPECT_EQ(outcome(), Outcome::Accept);
  EXPECT_EQ(fact(finding, "taken"), "/cuda/lib64/libcufft.so.11, CUDA 12.4");
  EXPECT_EQ(fact(finding, "through"), "/cuda/lib64");
  EXPECT_EQ(fact(finding, "layout"), "wheels (nothing declares a layout)");
  EXPECT_THAT(finding.fixes[0], HasSubstr("layout = \"system:/cuda/lib64\""));
  // The link has the same findings as `check`.
  input.atLink = true;
  EXPECT_THAT(judgeIt(), ElementsAre(Code::OtherLayout));
  EXPECT_THAT(judgeIt("torch==2.5.1"), ElementsAre(Code::OtherLayout));
}

TEST_F(JudgingHere, whatLoadsBesideWheelsIsNotAskedFor) {
  load = {};
  EXPECT_THAT(judgeIt(), ElementsAre(Code::AbsolutePath));
  EXPECT_FALSE(input.here);
}

TEST_F(JudgingHere, itIsAskedForOnlyWhereItDecides) {
  Target target = targetOf("cuda==12.4");
  input.facts = &facts;
  input.target = &target;
  EXPECT_TRUE(policy::asksHere(input));
  facts.path = "x.whl!pkg/bin/main";
  EXPECT_FALSE(policy::asksHere(input)) << "it is meant for other machines";
  facts.path = "/w/main";
  load.missing = "libown.so.1";
  EXPECT_FALSE(policy::asksHere(input)) << "no wheel of the runtime has it";
  input.load = nullptr;
  EXPECT_FALSE(policy::asksHere(input));
}

TEST_F(JudgingHere, librariesWithoutAReleaseOfCudaDoNotDecide) {
  take("libc.so.6", "", "/w/main");
  take("libcudnn.so.9", "/cuda/lib64", "/w/main");
  for (LoadedBy by : {LoadedBy::Root, LoadedBy::AlreadyLoaded}) {
    take("libcusparse.so.12", "/other", "/w/main");
    here.load.steps.back().by = by;
    here.load.steps.back().path = "/other/libcusparse.so.12";
  }
  here.releases["/cuda/lib64/libc.so.6"] = here.releases["/cuda/lib64/libcudnn.so.9"] = {};
  EXPECT_THAT(judgeIt("torch==2.5.1"), ElementsAre(Code::OtherLayout));
}

TEST_F(JudgingHere, aLayoutThatWasDeclaredIsTheOneThatCounts) {
  Target target = targetOf("cuda==12.4");
  target.layout.origin = {Origin::Kind::File, "cuda-cc.toml", 2, 1};
  ASSERT_THAT(judgeIt(target), ElementsAre(Code::NotFound, Code::AbsolutePath));
  EXPECT_EQ(fact(*find(Code::NotFound), "layout"), "wheels (cuda-cc.toml:2)");
  EXPECT_FALSE(input.here);
}

TEST_F(JudgingHere, anotherReleaseOrNoneThatIsKnownIsRefused) {
  for (CudaVersion release :
       {CudaVersion{12, 5}, CudaVersion{12, 3}, CudaVersion{13, 0}, CudaVersion{}})
    for (const char *name : {"libcufft.so.11", "libnvJitLink.so.12"}) {
      auto &of = here.releases["/cuda/lib64/" + std::string(name)];
      of = release;
      EXPECT_THAT(judgeIt(), ElementsAre(Code::NotFound, Code::AbsolutePath))
          << release.str() << name;
      of = {12, 4};
    }
  // Of a range, the oldest release is checked.
  here.releases["/cuda/lib64/libcufft.so.11"] = {12, 6};
  EXPECT_THAT(judgeIt("cuda>=12.4,<13"), ElementsAre(Code::OtherLayout));
  Target target = targetOf("torch==2.5.1");
  target.declaredAs[0].value = "torch>=2.5";
  EXPECT_THAT(judgeIt(target), ElementsAre(Code::NotFound, Code::AbsolutePath))
      << "a range of torch is none of CUDA";
}

TEST_F(JudgingHere, itMustLoadHereByTheFilesOwnSearchPath) {
  here.load.failure = "libcufft.so.11: cannot open shared object file";
  here.load.missing = "libcufft.so.11";
  EXPECT_THAT(judgeIt(), ElementsAre(Code::NotFound, Code::AbsolutePath));
  here.load.failure.clear();
  for (LoadStep &step : here.load.steps)
    step.by = LoadedBy::Cache, step.element.clear();
  EXPECT_THAT(judgeIt(), ElementsAre(Code::NotFound, Code::AbsolutePath));
}

TEST_F(JudgingHere, anExtensionOfAFrameworkAndWhatIsPackedAreRefused) {
  facts.kind = BinaryKind::SharedObject;
  EXPECT_THAT(judgeIt("torch==2.5.1"), ElementsAre(Code::NotFound, Code::AbsolutePath));
  EXPECT_THAT(judgeIt("cuda==12.4"), ElementsAre(Code::OtherLayout));
  facts.kind = BinaryKind::Executable;
  facts.path = "x.whl!pkg/bin/main";
  EXPECT_THAT(judgeIt(), ElementsAre(Code::NotFound, Code::AbsolutePath));
}

TEST_F(JudgingLoading, whatIsOpenedLaterMayBeMissing) { // LS-25
  BinaryFacts facts = extension({}, {"libnvrtc.so.13"});
  facts.hasRunpath = true;
  facts.hasRpath = false;
  NotOpened builtins{"libnvrtc-builtins.so.13.0", "/s/libnvrtc.so.13", "nvrtc: error"};
  load.notOpened = {builtins};
  ASSERT_THAT(judge("torch==2.11.0", facts), ElementsAre(Code::OpenedMissing));
  const Finding &finding = *find(Code::OpenedMissing);
  EXPECT_EQ(finding.message, "libnvrtc-builtins.so.13.0 is not found at run time");
  EXPECT_EQ(fact(finding, "when"), "at its first call");
  EXPECT_EQ(fact(finding, "raises"), "nvrtc: error");
  ASSERT_EQ(finding.fixes.size(), 1u);
  EXPECT_THAT(finding.fixes[0], HasSubstr("--disable-new-dtags"));
  // A runtime without it, or a search path that serves the libraries that are loaded, too.
  EXPECT_THAT(judge("torch==2.5.1", facts), testing::Contains(Code::OpenedMissing));
  EXPECT_THAT(find(Code::OpenedMissing)->fixes, IsEmpty());
  facts.hasRunpath = false;
  judge("torch==2.11.0", facts);
  EXPECT_THAT(find(Code::OpenedMissing)->fixes, IsEmpty());
  load.notOpened[0].endsProcess = true;
  judge("torch==2.11.0", facts);
  EXPECT_EQ(fact(*find(Code::OpenedMissing), "when"), "at its first call, which ends the process");
  // What loads the file may bring it.
  load.notOpened[0].isBeside = true;
  judge("torch==2.11.0", facts);
  EXPECT_EQ(outcome(), Outcome::Accept);
  EXPECT_EQ(find(Code::OpenedMissing)->severity, Severity::Warning);
}

TEST_F(JudgingLoading, codeOfAPackageMayNotFindWhatItUses) {
  load.notOpened = {{"libcusparse.so.12", "jax-cuda12-plugin", "RuntimeError: not found"}};
  ASSERT_THAT(judge("torch==2.5.1", extension({}, {"libc.so.6"})),
              ElementsAre(Code::OpenedMissing));
  const Finding &finding = *find(Code::OpenedMissing);
  EXPECT_EQ(finding.message, "libcusparse.so.12 is not found at run time");
  EXPECT_EQ(fact(finding, "opened by"), "jax-cuda12-plugin");
  EXPECT_EQ(fact(finding, "when"), "");
  EXPECT_EQ(outcome(), Outcome::Reject);
  load.notOpened[0].raises.clear();
  judge("torch==2.5.1", extension({}, {"libc.so.6"}));
  EXPECT_THAT(labels(findings[0]), ElementsAre("opened by"));
}

// What an environment does not determine may lie elsewhere on the search path.
TEST_F(JudgingLoading, onlyWhatNoStepTookIsAbsentFromAnEnvironment) {
  BinaryFacts facts = extension({}, {"libnvjpeg.so.12"});
  Target target = targetOf("torch==2.5.1");
  target.sitePackages = {"/env/site"};
  llvm::erase_if(target.libraries,
                 [](const TargetLibrary &each) { return each.dist == "nvidia-nvjpeg-cu12"; });
  auto takenAs = [&](const char *name, LoadedBy by) {
    load.steps = {{name, "/w/ext.so", by, std::string("/x/") + name, "", "", {}}};
    judge(target, facts);
  };
  takenAs("libnvjpeg.so.12", LoadedBy::Runpath);
  ASSERT_NE(find(Code::NoExportList), nullptr);
  EXPECT_EQ(find(Code::NotFound), nullptr);
  EXPECT_THAT(find(Code::NoExportList)->fixes[0], HasSubstr("nvidia-nvjpeg-cu12"));
  for (auto [name, by] : {std::pair("libnvjpeg.so.12", LoadedBy::Root),
                          std::pair("libother.so.1", LoadedBy::Runpath)}) {
    takenAs(name, by);
    EXPECT_NE(find(Code::NotFound), nullptr) << name;
  }
}

// F25: a missing search path is an error, except for a file that is loaded after the framework.
TEST_F(JudgingLoading, anUnreachedLibraryIsRefusedUnlessTorchLoadsIt) { // AV-E03
  missing("libnvJitLink.so.12");
  BinaryFacts facts = extension({}, {"libnvJitLink.so.12"});
  ASSERT_THAT(judge("torch==2.5.1", facts), ElementsAre(Code::NotFound));
  EXPECT_EQ(fact(findings[0], "searched"), "/w");
  EXPECT_THAT(findings[0].fixes[0], HasSubstr("$ORIGIN/../nvidia/nvjitlink/lib"));
  facts.needed.push_back("libtorch_cuda.so");
  EXPECT_THAT(judge("torch==2.5.1", facts), IsEmpty());
  ASSERT_NE(find(Code::NotFound), nullptr);
  EXPECT_EQ(find(Code::NotFound)->severity, Severity::Remark);
  EXPECT_THAT(find(Code::NotFound)->fixes, IsEmpty());
  load.skipped = {"/w/nvidia/nvjitlink/lib/libnvJitLink.so.12: ELF of machine 183"};
  EXPECT_THAT(notFound(targetOf("torch==2.5.1"), facts).message,
              HasSubstr("because torch loads it first"));
  load.skipped.clear();
  // Torch does not load NPP.
  missing("libnppc.so.12");
  facts.needed.push_back("libnppc.so.12");
  EXPECT_THAT(judge("torch==2.5.1", facts), ElementsAre(Code::NotFound));
}

TEST_F(JudgingLoading, anUnreachedLibraryHasTheFactsThatAreKnown) { // AV-E03
  missing("libnvJitLink.so.12");
  BinaryFacts facts = extension({}, {"libnvJitLink.so.12"});
  Target target = targetOf("cuda==12.4");
  EXPECT_THAT(labels(notFound(target, facts)),
              ElementsAre("loader", "searched", "runtime", "layout"));
  rowOf(target, "libnvJitLink.so.12").folder.clear();
  target.sitePackages = {"/v"};
  load.askedBy = "/w/libother.so";
  EXPECT_THAT(labels(notFound(target, facts)), ElementsAre("needed by", "loader", "searched"));
  EXPECT_THAT(findings[0].fixes,
              ElementsAre("link through cuda-cc, which adds the runtime's directories"));
  load.askedBy.clear();
  EXPECT_THAT(labels(notFound(target, facts)), ElementsAre("loader", "searched"));
}

TEST_F(JudgingLoading, anEntryForAnotherPlaceIsNamed) { // AV-E03
  missing("libnvJitLink.so.12");
  load.place = "a/b/ext.so";
  BinaryFacts facts = extension({}, {"libnvJitLink.so.12"});
  Target target = targetOf("cuda==12.4");
  facts.hasRunpath = true;
  facts.runpath = {"/nvidia/nvjitlink/lib", "$ORIGIN/../nvidia/nccl/lib"};
  EXPECT_THAT(notFound(target, facts).fixes, ElementsAre(HasSubstr("link through cuda-cc, or")));
  facts.runpath.push_back("$ORIGIN/../nvidia/nvjitlink/lib");
  EXPECT_EQ(fact(notFound(target, facts), "entry"),
            "$ORIGIN/../nvidia/nvjitlink/lib, right at depth 1 below site-packages");
  EXPECT_THAT(find(Code::NotFound)->fixes,
              ElementsAre("declare install-dir = \"a/b\", and link it again",
                          HasSubstr("'$ORIGIN/../../nvidia/nvjitlink/lib'")));
}

TEST_F(JudgingLoading, theLibraryOfTheFileThatBringsAMissingOneIsNamed) { // AV-E03
  BinaryFacts facts = extension({}, {"libown.so.1"});
  loads("ext.so", "", LoadedBy::Root);
  load.steps[0].path = facts.path;
  loads("libown.so.1", facts.path.c_str());
  loads("libmid.so.1", "/x/libown.so.1");
  auto said = [&](const char *askedBy) {
    missing("libnvJitLink.so.13", askedBy);
    return notFound(targetOf("cuda==12.4"), facts).message;
  };
  const char *named = "libown.so.1 needs libnvJitLink.so.13, which is missing";
  EXPECT_EQ(said("/x/libown.so.1"), named);
  EXPECT_EQ(said("/x/libmid.so.1"), named);
  EXPECT_EQ(said("/x/unknown.so"), "the runtime has no libnvJitLink.so.13");
  facts.needed.push_back("ext.so");
  EXPECT_EQ(said(facts.path.c_str()), "the runtime has no libnvJitLink.so.13");
}

TEST_F(JudgingLoading, aMissingLibraryIsReportedOnceAndByWhatItIs) { // AV-E03
  missing("libcudart.so.13");
  BinaryFacts facts = extension({}, {"libcudart.so.13"});
  EXPECT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::NotFound));
  EXPECT_THAT(judge(Target(), facts), ElementsAre(Code::NotFound));
  EXPECT_EQ(findings[0].message, "libcudart.so.13 is not found");
  missing("libcuda.so.1", "/w/libother.so");
  EXPECT_THAT(judge("cuda==12.4", extension({}, {"libother.so"})), IsEmpty())
      << "it is installed with the driver";
}

TEST_F(JudgingLoading, aLibraryOfThePackageThatIsNotReachedIsRefused) { // AV-E03
  missing("libown.so.1");
  load.elsewhere = "pkg/lib/libown.so.1";
  BinaryFacts facts = extension({}, {"libown.so.1"});
  Target target = targetOf("cuda==12.4");
  EXPECT_EQ(notFound(target, facts).message,
            "libown.so.1 of the same package is not on the search path");
  EXPECT_EQ(outcome(), Outcome::Reject);
  EXPECT_THAT(findings[0].fixes, IsEmpty()) << "where the file will lie is not known";
  facts.path = "x.whl!pkg/ext.so";
  EXPECT_THAT(notFound(target, facts).fixes, ElementsAre(HasSubstr("'$ORIGIN/../pkg/lib'")));
  input.atLink = true;
  EXPECT_THAT(judge(target, facts), IsEmpty()) << "it may be installed anywhere later";
}

TEST_F(JudgingLoading, librariesThatAreNotCudasAreListed) {
  BinaryFacts facts = extension({}, {"libown.so.1", "libc.so.6", "libcudart.so.12", "libtorch.so"});
  auto listed = [&](const Target &target) {
    judge(target, facts);
    const Finding *found = find(Code::NotJudged);
    return found ? fact(*found, "not judged") : "";
  };
  Target target = targetOf("torch==2.5.1");
  for (const char *name : {"libown.so.1", "libc.so.6", "libcudart.so.12", "libtorch.so"})
    loads(name, "/w/ext.so", LoadedBy::Default);
  loads("libother.so.1", "/x/libown.so.1", LoadedBy::Default);
  EXPECT_EQ(listed(target), "libown.so.1");
  load.steps[0].by = LoadedBy::Runpath;
  EXPECT_EQ(listed(target), "");
  EXPECT_EQ(find(Code::NotJudged), nullptr);
  load.steps[0].by = LoadedBy::Default;
  input.atLink = true;
  EXPECT_EQ(listed(target), "");
  input.atLink = false;
  target.sitePackages = {"/v"};
  EXPECT_EQ(listed(target), "");
}

TEST_F(JudgingLoading, theFrameworksOwnLibrariesAreARemark) {
  missing("libc10.so");
  EXPECT_THAT(judge("torch==2.5.1", extension({}, {"libc10.so"})), IsEmpty());
  EXPECT_THAT(findings[0].message, HasSubstr("once torch is loaded"));
  EXPECT_THAT(judge("cuda==12.4", extension({}, {"libc10.so"})), IsEmpty());
  // torchaudio is not part of torch.
  missing("libtorchaudio.so");
  EXPECT_THAT(judge("torch==2.5.1", extension({}, {"libtorchaudio.so"})),
              ElementsAre(Code::NotFound));
}

// In an environment that was read and has no torch, torch is no excuse.
TEST_F(JudgingLoading, withoutTorchInTheEnvironmentNothingIsLoadedBefore) {
  Target target = targetOf("cuda==12.4");
  target.sitePackages = {"/v/lib/python3.11/site-packages"};
  missing("libtorch.so");
  ASSERT_THAT(judge(target, extension({}, {"libtorch.so"})), ElementsAre(Code::NotFound));
  EXPECT_THAT(findings[0].message, HasSubstr("the environment has no torch"));
  missing("libnvJitLink.so.12");
  BinaryFacts facts = extension({}, {"libnvJitLink.so.12", "libtorch.so"});
  EXPECT_THAT(judge(target, facts), ElementsAre(Code::NotFound));
  EXPECT_EQ(outcome(), Outcome::Reject);
  target.torch = "2.5.1";
  EXPECT_THAT(judge(target, facts), IsEmpty());
}

// cusolverMg, cufile_rdma (RP-6): the libraries that load them find them.
TEST_F(JudgingLoading, nvidiasOwnLibrariesWithoutRunPathAreARemark) {
  missing("libcublas.so.12");
  BinaryFacts facts = extension({}, {"libcublas.so.12"});
  facts.soname = "libcusolverMg.so.11";
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
  ASSERT_NE(find(Code::NotFound), nullptr);
  EXPECT_THAT(find(Code::NotFound)->fixes, IsEmpty());
  facts.soname = "ext.so";
  EXPECT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::NotFound));
}

// The files of the package that load it are judged with what it NEEDs.
TEST_F(JudgingLoading, aCopyOfAuditwheelsWithoutASearchPathIsARemark) {
  missing("libcublas.so.12");
  BinaryFacts facts = extension({}, {"libcublas.so.12"});
  input.isCopy = true;
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
  ASSERT_NE(find(Code::NotFound), nullptr);
  EXPECT_THAT(find(Code::NotFound)->fixes, IsEmpty());
  // Nobody brings it.
  missing("libcublas.so.11");
  facts.needed = {"libcublas.so.11"};
  EXPECT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::NotFound));
}

// Who links through cuda-cc already needs the option; so does a library that another one asks for,
// where only a DT_RPATH counts, and an entry that is there as a RUNPATH is right at its depth.
TEST_F(JudgingLoading, theFixIsOneThatIsNotDoneYet) {
  missing("libcublas.so.12");
  BinaryFacts facts = extension({}, {"libcublas.so.12"});
  facts.path = "dist/x.whl!x/ext.so";
  load.askedBy = facts.path;
  load.place = "x/ext.so";
  auto fixes = [&] {
    judge("cuda==12.4", facts);
    return find(Code::NotFound)->fixes;
  };
  std::string option = "-Xlinker -rpath -Xlinker '$ORIGIN/../nvidia/cublas/lib'";
  EXPECT_THAT(fixes(), ElementsAre("link through cuda-cc, or with " + option));
  LinkRecord link;
  link.targetCuda = "13.0";
  facts.manifest.links = {link};
  EXPECT_THAT(fixes(), ElementsAre("link through cuda-cc, or with " + option));
  facts.manifest.links[0].targetCuda = "12.4";
  EXPECT_THAT(fixes(), ElementsAre("link with " + option));
  facts.manifest.links.clear();
  input.atLink = true;
  EXPECT_THAT(fixes(), ElementsAre("link with " + option));
  load.askedBy = "site-packages/x/libother.so.1";
  facts.needed = {"libother.so.1"};
  EXPECT_THAT(fixes(), ElementsAre("link with -Xlinker --disable-new-dtags " + option));
  facts.runpath = {"$ORIGIN/../nvidia/cublas/lib"};
  facts.hasRunpath = true;
  EXPECT_THAT(fixes(), ElementsAre("link with -Xlinker --disable-new-dtags " + option));
}

// The path in the fix starts at the file's place.
TEST_F(JudgingLoading, theSearchPathThatIsProposedCountsTheFoldersOfTheWheel) {
  missing("libnvJitLink.so.12");
  BinaryFacts facts = extension({}, {"libnvJitLink.so.12"});
  for (const char *path : {"dist/x.whl!x/a/ext.so", "dist/x.whl!x-1.0.data/platlib/x/a/ext.so"}) {
    facts.path = path;
    judge("torch==2.5.1", facts);
    EXPECT_THAT(find(Code::NotFound)->fixes[0], HasSubstr("'$ORIGIN/../../nvidia/nvjitlink/lib'"))
        << path;
  }
}

// Scripts and data of a wheel are installed beside the folder of Python, whose version is not
// known.
TEST_F(JudgingLoading, theSearchPathOfAProgramLeadsToSitePackages) {
  missing("libnvJitLink.so.12");
  BinaryFacts facts = extension({}, {"libnvJitLink.so.12"});
  facts.runpath = {"$ORIGIN/nvidia/nvjitlink/lib"};
  facts.hasRunpath = true;
  auto fix = [&](const char *place) {
    load.place = place;
    judge("torch==2.5.1", facts);
    return find(Code::NotFound)->fixes[0];
  };
  std::string folder = "lib/python3.X/site-packages/nvidia/nvjitlink/lib'";
  EXPECT_THAT(fix("../../../x"), HasSubstr("'$ORIGIN/" + folder));
  EXPECT_THAT(fix("../../../bin/x"), HasSubstr("'$ORIGIN/../" + folder));
  EXPECT_THAT(fix(""), HasSubstr("'$ORIGIN/../nvidia/nvjitlink/lib'")) << "and no word on a depth";
}

TEST_F(JudgingLoading, whatIsNotOfCudaIsWarnedAbout) {
  missing("libmlx5.so.1");
  ASSERT_THAT(judge("cuda==12.4", extension({}, {"libmlx5.so.1"})), ElementsAre(Code::NotFound));
  EXPECT_EQ(outcome(), Outcome::Accept);
  missing("libcuda.so.1");
  EXPECT_THAT(judge("cuda==12.4", extension({}, {"libcuda.so.1"})), IsEmpty());
}

TEST_F(JudgingLoading, aFailureOfTheFileItselfIsRefused) {
  load.failure = "/w/ext.so: file too short";
  EXPECT_THAT(judge("cuda==12.4", extension({})), ElementsAre(Code::NotFound));
  EXPECT_EQ(outcome(), Outcome::Reject);
  load = {};
  EXPECT_THAT(judge("cuda==12.4", extension({})), IsEmpty());
}

TEST_F(JudgingLoading, anotherCopyThanTheRuntimesIsRefused) { // AV-E03
  Target target = targetOf("cuda==12.4");
  rowOf(target, "libcudart.so.12").path = "/venv/libcudart.so.12";
  load.steps.resize(2);
  load.steps[1] = {
      "libcudart.so.12", "/w/ext.so", LoadedBy::Runpath, "/venv/libcudart.so.12", "$ORIGIN",
      "/w/ext.so",       {}};
  BinaryFacts facts = extension({}, {"libcudart.so.12"});
  EXPECT_THAT(judge(target, facts), IsEmpty());
  load.steps[1].by = LoadedBy::Default;
  load.steps[1].path = "/usr/lib/libcudart.so.12";
  ASSERT_THAT(judge(target, facts), ElementsAre(Code::NotFound));
  EXPECT_EQ(fact(findings[0], "taken"), "/usr/lib/libcudart.so.12");
  EXPECT_EQ(fact(findings[0], "through"), "$ORIGIN of /w/ext.so");
  load.steps[1].element.clear();
  judge(target, facts);
  EXPECT_THAT(labels(findings[0]), ElementsAre("taken", "runtime"));
  facts.soname = "libcublas.so.12";
  EXPECT_THAT(judge(target, facts), IsEmpty()) << "NVIDIA's own are loaded beside others";
  facts.soname.clear();
  rowOf(target, "libcudart.so.12").dist = "nvidia-cuda-runtime-cu12";
  facts.needed.push_back("libtorch.so");
  EXPECT_THAT(judge(target, facts), IsEmpty()) << "torch has loaded the runtime's";
  facts.needed.pop_back();
  for (LoadedBy by : {LoadedBy::Root, LoadedBy::AlreadyLoaded, LoadedBy::SameFile}) {
    load.steps[1].by = by;
    EXPECT_THAT(judge(target, facts), IsEmpty());
  }
}

// A SONAME of two majors: the provider's own dependencies show its major (4.4).
TEST_F(JudgingLoading, aLibraryOfAnotherMajorThatIsDraggedInIsRefused) { // AV-E03
  load.steps.resize(3);
  load.steps[1] = {"libcusparse.so.12",
                   "/w/ext.so",
                   LoadedBy::Runpath,
                   "/venv/nvidia/cu13/lib/libcusparse.so.12",
                   "",
                   "",
                   {}};
  load.steps[2] = {"libnvJitLink.so.12",
                   load.steps[1].path,
                   LoadedBy::Runpath,
                   "/venv/nvidia/cu13/lib/libnvJitLink.so.12",
                   "",
                   "",
                   {}};
  BinaryFacts facts = extension({}, {"libcusparse.so.12"});
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
  load.steps[2].name = "libnvJitLink.so.13";
  ASSERT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::NotFound));
  EXPECT_EQ(findings[0].library, "libnvJitLink.so.13");
  EXPECT_EQ(fact(findings[0], "needed by"), load.steps[1].path);
  EXPECT_EQ(findings[0].message,
            "libcusparse.so.12 requires libnvJitLink.so.13 of another CUDA major");
}

TEST_F(JudgingLoading, aLibraryOfAnotherMajorIsRightWithItsOwn) { // AV-E03
  loads("libown.so.1", "/w/ext.so");
  loads("libcublas.so.13", "/x/libown.so.1");
  loads("libcublasLt.so.13", "/x/libcublas.so.13");
  BinaryFacts facts = extension({}, {"libown.so.1"});
  ASSERT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::NotFound));
  EXPECT_EQ(findings[0].library, "libcublas.so.13");
  EXPECT_THAT(judge(Target(), facts), IsEmpty()) << "no major is declared";
}

TEST_F(JudgingLoading, aSuccessOnUnreadFactsIsUnknown) {
  load.unknown = {"/etc/ld.so.cache could not be read"};
  EXPECT_THAT(judge("cuda==12.4", extension({})), ElementsAre(Code::UnreadableFile));
  EXPECT_EQ(outcome(), Outcome::Unknown);
}

TEST_F(JudgingLoading, aCopyForAnotherMachineIsInstalledAgain) {
  missing("libcudart.so.12");
  load.skipped = {"/w/nvidia/cuda_runtime/lib/libcudart.so.12: ELF of machine 183"};
  ASSERT_THAT(judge("torch==2.5.1", extension({}, {"libcudart.so.12"})),
              testing::Contains(Code::NotFound));
  auto found = llvm::find_if(findings,
                             [](const Finding &finding) { return finding.code == Code::NotFound; });
  EXPECT_EQ(found->message, "libcudart.so.12 of the runtime is for another machine");
  EXPECT_THAT(found->fixes, ElementsAre(HasSubstr("--force-reinstall --no-deps")));
  load.skipped = {"/w/elsewhere/libcudart.so.12: ELF of machine 183"};
  judge("torch==2.5.1", extension({}, {"libcudart.so.12"}));
  found = llvm::find_if(findings,
                        [](const Finding &finding) { return finding.code == Code::NotFound; });
  EXPECT_EQ(found->message, "libcudart.so.12 is not on the search path");
}
