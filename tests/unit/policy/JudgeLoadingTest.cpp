#include "tests/unit/policy/BinaryJudging.h"

using namespace cudacc;
using namespace cudacc::core;
using cudacc::test::BinaryJudging;
using cudacc::test::extension;
using cudacc::test::import;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

struct JudgingLoading : BinaryJudging {
  LoadResult load;
  JudgingLoading() { subject.load = &load; }

  void missing(const char *name, const char *askedBy = "/w/ext.so") {
    load.missing = name;
    load.askedBy = askedBy;
    load.failure = std::string(name) + ": cannot open shared object file";
    load.searched = {"/w"};
  }
};

struct JudgingPaths : BinaryJudging {
  BinaryFacts facts = extension({});

  std::vector<Code> runpath(std::vector<std::string> entries) {
    facts.runpath = std::move(entries);
    facts.hasRunpath = true;
    return judge("cuda==12.4", facts);
  }
};

} // namespace

// PRODUCT.md 8: no search path is an error, but for a file that is loaded behind the framework.
TEST_F(JudgingLoading, anUnreachedLibraryIsRefusedUnlessTorchLoadsIt_AV_E03) {
  missing("libnvJitLink.so.12");
  BinaryFacts facts = extension({}, {"libnvJitLink.so.12"});
  ASSERT_THAT(judge("torch==2.5.1", facts), ElementsAre(Code::NotFound));
  EXPECT_EQ(fact(findings[0], "searched"), "/w");
  EXPECT_THAT(findings[0].fixes[0], HasSubstr("$ORIGIN/../nvidia/nvjitlink/lib"));
  facts.needed.push_back("libtorch_cuda.so");
  EXPECT_THAT(judge("torch==2.5.1", facts), IsEmpty());
  ASSERT_NE(find(Code::NotFound), nullptr);
  EXPECT_EQ(find(Code::NotFound)->severity, Severity::Remark);
  // Torch does not load NPP.
  missing("libnppc.so.12");
  facts.needed.push_back("libnppc.so.12");
  EXPECT_THAT(judge("torch==2.5.1", facts), ElementsAre(Code::NotFound));
}

TEST_F(JudgingLoading, theFrameworksOwnLibrariesAreARemark) {
  missing("libc10.so");
  EXPECT_THAT(judge("torch==2.5.1", extension({}, {"libc10.so"})), IsEmpty());
  EXPECT_THAT(findings[0].message, HasSubstr("once torch is loaded"));
  // torchaudio is no part of torch.
  missing("libtorchaudio.so");
  EXPECT_THAT(judge("torch==2.5.1", extension({}, {"libtorchaudio.so"})),
              ElementsAre(Code::NotFound));
}

// An environment that was read and has no torch excuses nothing by it.
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

// cusolverMg, cufile_rdma (elf.md 4.4): what loads them finds their siblings.
TEST_F(JudgingLoading, nvidiasOwnLibrariesWithoutRunPathAreARemark) {
  missing("libcublas.so.12");
  BinaryFacts facts = extension({}, {"libcublas.so.12"});
  facts.soname = "libcusolverMg.so.11";
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
  ASSERT_NE(find(Code::NotFound), nullptr);
  facts.soname = "ext.so";
  EXPECT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::NotFound));
}

// The way out leads from where the file lies.
TEST_F(JudgingLoading, theSearchPathThatIsProposedCountsTheFoldersOfTheWheel) {
  missing("libnvJitLink.so.12");
  BinaryFacts facts = extension({}, {"libnvJitLink.so.12"});
  facts.path = "dist/x.whl!x/a/ext.so";
  judge("torch==2.5.1", facts);
  EXPECT_THAT(find(Code::NotFound)->fixes[0], HasSubstr("$ORIGIN/../../nvidia/nvjitlink/lib"));
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

TEST_F(JudgingLoading, anotherCopyThanTheRuntimesIsRefused_AV_E03) {
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
}

// A SONAME of two majors: what the provider needs itself tells which it is (4.4).
TEST_F(JudgingLoading, aLibraryOfAnotherMajorThatIsDraggedInIsRefused_AV_E03) {
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
}

TEST_F(JudgingLoading, aSuccessOnUnreadFactsIsUnknown) {
  load.unknown = {"/etc/ld.so.cache could not be read"};
  EXPECT_THAT(judge("cuda==12.4", extension({})), ElementsAre(Code::UnreadableFile));
  EXPECT_EQ(outcome(), Outcome::Unknown);
}

// LS-15.
TEST_F(JudgingPaths, emptyRelativeAndStubsEntries_AV_W07_LS_15) {
  EXPECT_THAT(runpath({"$ORIGIN", "${ORIGIN}/../lib"}), IsEmpty());
  EXPECT_THAT(runpath({"$ORIGIN", ""}), ElementsAre(Code::BadPathEntry));
  EXPECT_THAT(runpath({"lib"}), ElementsAre(Code::BadPathEntry));
  EXPECT_THAT(runpath({"$ORIGIN/stubs"}), ElementsAre(Code::BadPathEntry));
  EXPECT_THAT(runpath({"/opt/cuda/lib64/stubs"}), ElementsAre(Code::BadPathEntry));
  EXPECT_THAT(runpath({"$ORIGIN/stubs-of-mine"}), IsEmpty());
  EXPECT_EQ(outcome(), Outcome::Accept);
  // Nobody but NVIDIA can change nvrtc's own `$ORIGIN:`.
  facts.soname = "libnvrtc.so.12";
  facts.path = "/w/libnvrtc.so.12";
  EXPECT_THAT(runpath({"$ORIGIN", ""}), IsEmpty());
  EXPECT_NE(find(Code::BadPathEntry), nullptr);
}

// At the link the file does not lie yet where it will.
TEST_F(JudgingPaths, atTheLinkOnlyEntriesThatAreWrongAnywhere_AV_W07) {
  subject.atLink = true;
  EXPECT_THAT(runpath({"/opt/cuda/lib64", "$ORIGIN/../../../../lib"}), IsEmpty());
  EXPECT_THAT(runpath({"/opt/cuda/lib64/stubs"}), ElementsAre(Code::BadPathEntry));
  // R43: room that CMake and Meson keep, and take away when they install.
  EXPECT_THAT(runpath({"$ORIGIN", "", ""}), IsEmpty());
  EXPECT_THAT(runpath({"$ORIGIN", "XXXXXX"}), IsEmpty());
  EXPECT_THAT(runpath({"", "$ORIGIN"}), ElementsAre(Code::BadPathEntry));
  EXPECT_THAT(runpath({"$ORIGIN", "XXX/lib"}), ElementsAre(Code::BadPathEntry));
}

// LS-42, LS-43.
TEST_F(JudgingPaths, absoluteAndEscapingEntries_AV_W06_LS_43) {
  EXPECT_THAT(runpath({"/opt/cuda/lib64"}), ElementsAre(Code::AbsolutePath));
  facts.path = "dist/x.whl!pkg/ext.so";
  EXPECT_THAT(runpath({"$ORIGIN/../nvidia/nvjitlink/lib"}), IsEmpty());
  EXPECT_THAT(runpath({"$ORIGIN/../../../../lib"}), ElementsAre(Code::AbsolutePath));
  EXPECT_THAT(runpath({"$ORIGIN/../.."}), ElementsAre(Code::AbsolutePath));
  // Not in a wheel: how deep it lies is not known.
  facts.path = "/w/ext.so";
  EXPECT_THAT(runpath({"$ORIGIN/../../../../lib"}), IsEmpty());
  Target target = targetOf("cuda==12.4");
  target.sitePackages = {"/venv/site-packages"};
  facts.path = "/venv/site-packages/pkg/ext.so";
  facts.runpath = {"$ORIGIN/../../../../lib"};
  EXPECT_THAT(judge(target, facts), ElementsAre(Code::AbsolutePath));
  facts.runpath = {"/venv/site-packages/nvidia/nvjitlink/lib"};
  EXPECT_THAT(judge(target, facts), IsEmpty());
}

// LS-10: RUNPATH switches RPATH off.
TEST_F(JudgingPaths, onlyTheListInForceIsJudged_LS_10) {
  facts.rpath = {"/opt/cuda/lib64"};
  facts.hasRpath = true;
  EXPECT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::AbsolutePath));
  EXPECT_THAT(runpath({"$ORIGIN"}), IsEmpty());
}

// LS-1, LS-2: rows 7 and 8 of the table.
TEST_F(JudgingPaths, aCoupledLibraryWantsRpathAndItsOwnNeeded_AV_W02_AV_W03_LS_2) {
  facts = extension({}, {"libcusparse.so.12"});
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty()) << "no path at all: nothing to add to";
  EXPECT_THAT(runpath({"$ORIGIN/../nvidia/cusparse/lib"}),
              ElementsAre(Code::RunpathOverridable, Code::CoupledNotNeeded));
  facts.needed.push_back("libnvJitLink.so.12");
  EXPECT_THAT(runpath({"$ORIGIN/../nvidia/cusparse/lib"}), ElementsAre(Code::RunpathOverridable));
  facts.hasRunpath = false;
  facts.rpath = facts.runpath;
  facts.hasRpath = true;
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
  facts.needed = {"libcusparse.so.12"};
  EXPECT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::CoupledNotNeeded));
  EXPECT_EQ(findings[0].library, "libnvJitLink.so.12");
  // cuSPARSE of 13.3.1 on has a DT_RPATH: its neighbour wins whatever comes first.
  facts.needed = {"libcublas.so.13"};
  Target target = targetOf("cuda==13.0");
  EXPECT_THAT(judge(target, facts), ElementsAre(Code::CoupledNotNeeded));
  setVersion(target, "libcublas.so.13", "13.6.0.2");
  EXPECT_THAT(judge(target, facts), IsEmpty());
}

// LS-23.
TEST_F(JudgingPaths, nameAndSoname_AV_W08_LS_23) {
  auto named = [&](const char *path, const char *soname) {
    facts.path = path;
    facts.soname = soname;
    return judge("cuda==12.4", facts);
  };
  EXPECT_THAT(named("/w/libx.so.1", "libx.so.1"), IsEmpty());
  EXPECT_THAT(named("/w/libx.so.1.2.3", "libx.so.1"), IsEmpty());
  EXPECT_THAT(named("/w/libx.so", "libx.so.1"), IsEmpty());
  EXPECT_THAT(named("x.whl!pkg/libx.so", "liby.so"), ElementsAre(Code::SonameDiffers));
  EXPECT_THAT(named("/w/ext.so", ""), IsEmpty());
  subject.atLink = true;
  EXPECT_THAT(named("/w/libx.so", "liby.so"), IsEmpty());
}

// LS-44, LS-45.
TEST_F(JudgingPaths, graftedCopies_AV_W09_LS_45) {
  facts.needed = {"libcudart-96c42e41.so.12"};
  ASSERT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::GraftedCopy));
  EXPECT_EQ(findings[0].library, "libcudart.so.12");
  facts.needed = {"libgfortran-96c42e41.so.5", "libcudart-nothex01.so.12"};
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
}
