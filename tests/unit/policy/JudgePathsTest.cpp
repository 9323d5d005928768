// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/policy/BinaryJudging.h"

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using cudacc::test::BinaryJudging;
using cudacc::test::extension;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {
struct JudgingPaths : BinaryJudging {
  BinaryFacts facts = extension({});

  std::vector<Code> runpath(std::vector<std::string> entries) {
    facts.runpath = std::move(entries);
    facts.hasRunpath = true;
    return judge("cuda==12.4", facts);
  }
};
} // namespace

TEST_F(JudgingPaths, theLibraryFolderOfPythonIsARemark_CC4106) {
  facts.hasRpath = true;
  auto severityOf = [&](const std::string &entry) {
    facts.rpath = {entry};
    judge(targetOf("cuda==12.4"), facts);
    const Finding *finding = find(Code::AbsolutePath);
    return finding ? std::optional(finding->severity) : std::nullopt;
  };
  for (const char *entry :
       {"/home/u/.pyenv/versions/3.11.9/lib", "/opt/conda/lib", "/opt/conda/envs/x/lib/",
        "/home/u/miniconda3/lib", "/home/u/miniforge3/envs/a/lib", "/opt/python/cp311-cp311/lib",
        "/opt/pyenv/versions/3.12.1/lib"})
    EXPECT_EQ(severityOf(entry), Severity::Remark) << entry;
  for (const char *entry : {"/usr/local/cuda/lib64", "/home/u/lib", "/opt/conda/pkgs/x/lib",
                            "/home/u/.pyenv/versions/lib/x", "/second/lib", "/data/envs/x/lib"})
    EXPECT_EQ(severityOf(entry), Severity::Warning) << entry;
  input.pythonFolders = {
      {"/home/u/lib", true}, {"/home/u/cuda/lib", false}, {"/home/u/miniconda3/lib", false}};
  EXPECT_EQ(severityOf("/home/u/lib/"), Severity::Remark);
  EXPECT_EQ(severityOf("/home/u/cuda/lib"), Severity::Warning);
  // Facts about this machine override the form of the path.
  EXPECT_EQ(severityOf("/home/u/miniconda3/lib"), Severity::Warning);
  EXPECT_EQ(severityOf("/opt/conda/lib"), Severity::Remark);
}

TEST_F(JudgingPaths, theDirectoryOfASystemLayoutIsNoAbsolutePathThere_CC4106) {
  Target target = targetOf("cuda==12.4");
  target.layout.value.kind = Layout::System;
  target.layout.value.path = "/cuda/lib64/";
  auto judged = [&](std::vector<std::string> entries) {
    facts.rpath = std::move(entries);
    facts.hasRpath = true;
    return judge(target, facts);
  };
  EXPECT_THAT(judged({"/cuda/lib64", "/cuda/lib64/sub"}), IsEmpty());
  EXPECT_THAT(judged({"/cuda/lib64-13"}), ElementsAre(Code::AbsolutePath));
  EXPECT_THAT(judged({"/cuda/lib64/../other"}), ElementsAre(Code::AbsolutePath));
  EXPECT_THAT(judged({"/cuda"}), ElementsAre(Code::AbsolutePath));
  // The link writes the path as it was declared.
  target.layout.value.path = "/opt/../cuda/lib64";
  EXPECT_THAT(judged({"/opt/../cuda/lib64/"}), IsEmpty());
}

// /env/site-packages-old begins with the name of the environment's folder.
TEST_F(JudgingPaths, aFolderBesideTheEnvironmentIsNotInIt) {
  Target target = targetOf("cuda==12.4");
  target.sitePackages = {"/env/site-packages"};
  facts.rpath = {"/env/site-packages/nvidia/lib"};
  facts.hasRpath = true;
  EXPECT_THAT(judge(target, facts), IsEmpty());
  facts.rpath = {"/env/site-packages-old/nvidia/lib"};
  EXPECT_THAT(judge(target, facts), ElementsAre(Code::AbsolutePath));
}

// LS-15.
TEST_F(JudgingPaths, emptyRelativeAndStubsEntries) { // AV-W07, LS-15
  EXPECT_THAT(runpath({"$ORIGIN", "${ORIGIN}/../lib"}), IsEmpty());
  EXPECT_THAT(runpath({"$ORIGIN", ""}), ElementsAre(Code::BadPathEntry));
  EXPECT_THAT(runpath({"lib"}), ElementsAre(Code::BadPathEntry));
  EXPECT_THAT(runpath({"$ORIGIN/stubs"}), ElementsAre(Code::BadPathEntry));
  EXPECT_THAT(runpath({"/opt/cuda/lib64/stubs"}), ElementsAre(Code::BadPathEntry));
  EXPECT_THAT(runpath({"$ORIGIN/stubs-of-mine"}), IsEmpty());
  EXPECT_EQ(outcome(), Outcome::Accept);
  // Only NVIDIA can change nvrtc's own `$ORIGIN:`.
  facts.soname = "libnvrtc.so.12";
  facts.path = "/w/libnvrtc.so.12";
  EXPECT_THAT(runpath({"$ORIGIN", ""}), IsEmpty());
  EXPECT_NE(find(Code::BadPathEntry), nullptr);
}

// At the link the file is not yet in its final place.
TEST_F(JudgingPaths, atTheLinkOnlyEntriesThatAreWrongAnywhere) { // AV-W07
  input.atLink = true;
  EXPECT_THAT(runpath({"/opt/cuda/lib64", "$ORIGIN/../../../../lib"}), IsEmpty());
  EXPECT_THAT(runpath({"/opt/cuda/lib64/stubs"}), ElementsAre(Code::BadPathEntry));
  // R43: padding that CMake and Meson add, and remove when they install.
  EXPECT_THAT(runpath({"$ORIGIN", "", ""}), IsEmpty());
  EXPECT_THAT(runpath({"$ORIGIN", "XXXXXX"}), IsEmpty());
  EXPECT_THAT(runpath({"", "$ORIGIN"}), ElementsAre(Code::BadPathEntry));
  EXPECT_THAT(runpath({"$ORIGIN", "XXX/lib"}), ElementsAre(Code::BadPathEntry));
}

// LS-42, LS-43.
TEST_F(JudgingPaths, absoluteAndEscapingEntries) { // AV-W06, LS-43
  EXPECT_THAT(runpath({"/opt/cuda/lib64"}), ElementsAre(Code::AbsolutePath));
  facts.path = "dist/x.whl!pkg/ext.so";
  EXPECT_THAT(runpath({"$ORIGIN/../nvidia/nvjitlink/lib"}), IsEmpty());
  EXPECT_THAT(runpath({"$ORIGIN/../../../../lib"}), ElementsAre(Code::AbsolutePath));
  EXPECT_THAT(runpath({"$ORIGIN/../.."}), ElementsAre(Code::AbsolutePath));
  EXPECT_THAT(fact(findings[0], "because"), testing::HasSubstr("auditwheel"));
  // Outside of a wheel its depth is unknown.
  facts.path = "/w/ext.so";
  EXPECT_THAT(runpath({"$ORIGIN/../../../../lib"}), IsEmpty());
  Target target = targetOf("cuda==12.4");
  target.sitePackages = {"/venv/site-packages"};
  facts.path = "/venv/site-packages/pkg/ext.so";
  facts.runpath = {"$ORIGIN/../../../../lib"};
  EXPECT_THAT(judge(target, facts), ElementsAre(Code::AbsolutePath));
  // auditwheel has nothing to do with what is installed.
  EXPECT_EQ(fact(findings[0], "because"), "no package installs a file there");
  facts.runpath = {"/venv/site-packages/nvidia/nvjitlink/lib"};
  EXPECT_THAT(judge(target, facts), IsEmpty());
}

// LS-10: RUNPATH switches RPATH off.
TEST_F(JudgingPaths, onlyTheListInForceIsJudged) { // LS-10
  facts.rpath = {"/opt/cuda/lib64"};
  facts.hasRpath = true;
  EXPECT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::AbsolutePath));
  EXPECT_THAT(runpath({"$ORIGIN"}), IsEmpty());
}

// LS-1, LS-2: rows 7 and 8 of the table.
TEST_F(JudgingPaths, aCoupledLibraryWantsRpathAndItsOwnNeeded) { // AV-W02, AV-W03, LS-2
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
  // cuSPARSE of 13.3.1 and newer has a DT_RPATH: the library beside it is always taken.
  facts.needed = {"libcublas.so.13"};
  Target target = targetOf("cuda==13.0");
  EXPECT_THAT(judge(target, facts), ElementsAre(Code::CoupledNotNeeded));
  setVersion(target, "libcublas.so.13", "13.6.0.2");
  EXPECT_THAT(judge(target, facts), IsEmpty());
}

// LS-23.
TEST_F(JudgingPaths, nameAndSoname) { // AV-W08, LS-23
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
  input.atLink = true;
  EXPECT_THAT(named("/w/libx.so", "liby.so"), IsEmpty());
}

// LS-44, LS-45.
TEST_F(JudgingPaths, graftedCopies) { // AV-W09, LS-45
  facts.needed = {"libcudart-96c42e41.so.12"};
  ASSERT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::GraftedCopy));
  EXPECT_EQ(findings[0].library, "libcudart.so.12");
  facts.needed = {"libgfortran-96c42e41.so.5", "libcudart-nothex01.so.12"};
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
}

TEST_F(JudgingPaths, aPythonIsKnownByItsLibraryFolder_CC4106) {
  for (const char *entry : {"/opt/conda", "/opt/python/cp311-cp311", "/opt/conda/lib64"}) {
    runpath({entry});
    ASSERT_NE(find(Code::AbsolutePath), nullptr) << entry;
    EXPECT_EQ(find(Code::AbsolutePath)->severity, Severity::Warning) << entry;
  }
}

TEST_F(JudgingPaths, entriesOfAKindAreOneFindingWithTheFirstEight) {
  auto judged = [&](unsigned count) {
    std::vector<std::string> entries;
    for (unsigned i = 1; i <= count; ++i)
      entries.push_back("/opt/" + std::to_string(i));
    EXPECT_THAT(runpath(entries), ElementsAre(Code::AbsolutePath));
    return findings.at(0);
  };
  const std::string one = "an absolute search path entry";
  EXPECT_EQ(judged(1).message, one);
  EXPECT_EQ(judged(2).message, one + ", and 1 more");
  EXPECT_THAT(labels(judged(2)), ElementsAre("entry", "entry", "because"));
  std::vector<std::string> wanted(8, "entry");
  wanted.push_back("because");
  EXPECT_EQ(labels(judged(8)), wanted);
  wanted.push_back("and");
  EXPECT_EQ(labels(judged(9)), wanted);
  EXPECT_EQ(judged(9).message, one + ", and 8 more");
  EXPECT_EQ(fact(judged(9), "and"), "1 more");
}

// What the loader puts for $LIB is relative, and it keeps what is no token of its own.
TEST_F(JudgingPaths, onlyOriginMakesAnEntryAbsolute) { // LS-15
  for (const char *entry : {"$LIB/mine", "${PLATFORM}", "$$ORIGIN/../lib", "$ORIGINAL/lib"})
    for (bool atLink : {false, true}) {
      input.atLink = atLink;
      ASSERT_THAT(runpath({entry}), ElementsAre(Code::BadPathEntry)) << entry;
      EXPECT_EQ(findings[0].message, "a relative search path entry");
    }
  EXPECT_THAT(runpath({"/usr/$LIB", "$ORIGIN/$LIB"}), IsEmpty());
  ASSERT_THAT(runpath({"", "$ORIGIN"}), ElementsAre(Code::BadPathEntry));
  EXPECT_EQ(findings[0].message, "an empty search path entry");
}

TEST_F(JudgingPaths, aDotStaysInItsFolder) { // LS-43
  facts.path = "x.whl!pkg/ext.so";
  EXPECT_THAT(runpath({"$ORIGIN/./../lib"}), IsEmpty());
  EXPECT_THAT(runpath({"$ORIGIN/./../../lib"}), ElementsAre(Code::AbsolutePath));
}

// conda's packages install outside of site-packages.
TEST_F(JudgingPaths, theFilesOfCondaLieAnywhereInItsPrefix) {
  facts.path = "x.whl!pkg/ext.so";
  facts.runpath = {"$ORIGIN/../../../.."};
  facts.hasRunpath = true;
  Target target = targetOf("cuda==12.4");
  EXPECT_THAT(judge(target, facts), ElementsAre(Code::AbsolutePath));
  target.layout.value.kind = Layout::Conda;
  EXPECT_THAT(judge(target, facts), IsEmpty());
  target = targetOf("cuda==12.4");
  target.libraries.front().ofConda = true;
  EXPECT_THAT(judge(target, facts), IsEmpty());
}

TEST_F(JudgingPaths, whatIsCoupledByItsMinorIsNamedOnce) { // LS-2
  auto notNeeded = [&](const Target &target, std::vector<std::string> needed) {
    facts.needed = std::move(needed);
    facts.rpath = {"$ORIGIN"};
    facts.hasRpath = true;
    judge(target, facts);
    std::vector<std::string> libraries;
    for (const Finding &finding : findings)
      if (finding.code == Code::CoupledNotNeeded)
        libraries.push_back(finding.library);
    return libraries;
  };
  EXPECT_THAT(notNeeded(targetOf("cuda==13.0"), {"libcusolver.so.12", "libcusparse.so.12"}),
              ElementsAre("libnvJitLink.so.13", "libcublasLt.so.13"));
  // It has neither RPATH nor RUNPATH.
  EXPECT_THAT(notNeeded(targetOf("cuda==13.0"), {"libcusolverMg.so.12"}),
              ElementsAre("libnvJitLink.so.13", "libcublasLt.so.13"));
  EXPECT_THAT(notNeeded(Target(), {"libcusolver.so.12"}), IsEmpty()) << "nothing is declared";
}
