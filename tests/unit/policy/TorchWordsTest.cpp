// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/TorchWords.h"
#include "driver/policy/rules/JudgeBinary.h"
#include "tests/unit/policy/BinaryJudging.h"

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using policy::TorchCause;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

namespace {

std::string factOf(const Finding &finding, llvm::StringRef label) {
  return test::BinaryJudging::fact(finding, label);
}

TorchRange rangeOf(std::vector<TorchRange::Release> releases) {
  TorchRange range;
  range.releases = std::move(releases);
  range.imports = 1;
  return range;
}

/// A file that fits 2.9.1 and 2.10.0, for a process with torch 2.11.0.
TorchCause causeOf(llvm::ArrayRef<LibraryFloor> floors = {}, const char *declared = nullptr) {
  TorchCause cause;
  cause.names = {"_ZN3c103fooEv"};
  cause.torch = "2.11.0";
  std::vector<Requirement> requirements;
  if (declared)
    requirements.push_back(*Requirement::parse(declared));
  policy::setServing(
      cause,
      rangeOf({{"2.9.1", Exported::Yes}, {"2.10.0", Exported::Yes}, {"2.11.0", Exported::No}}),
      floors, requirements);
  return cause;
}

std::vector<LibraryFloor> needing(const char *soname, const char *symbol, unsigned major) {
  return policy::floorsOf(test::extension({test::import(soname, symbol)}), major);
}

std::string shownName(const std::string &symbol) {
  Finding finding;
  policy::addNames({symbol}, finding);
  return factOf(finding, "name");
}

} // namespace

TEST(TorchWords, aNameIsShownUpTo400Columns) {
  EXPECT_EQ(shownName("_Z400" + std::string(400, 'a')), std::string(400, 'a'));
  EXPECT_EQ(shownName("_Z401" + std::string(401, 'a')), std::string(400, 'a') + "...");
  Finding finding;
  policy::addNames({"aoti_torch_x"}, finding);
  EXPECT_THAT(test::BinaryJudging::labels(finding), ElementsAre("symbol"));
}

TEST(TorchWords, threeFurtherNamesAreShown) {
  Finding four, five;
  policy::addNames({"a", "b", "c", "d"}, four);
  EXPECT_EQ(factOf(four, "and"), "3 more: b, c, d");
  policy::addNames({"a", "b", "c", "d", "e"}, five);
  EXPECT_EQ(factOf(five, "and"), "4 more: b, c, d, ...");
}

TEST(TorchWords, theAbisOfBothAreSaid) {
  TorchCause cause = causeOf();
  for (const char *label : {"file", "torch"})
    EXPECT_EQ(factOf(policy::torchFinding(cause), label), "");
  const char *old = "built with _GLIBCXX_USE_CXX11_ABI=0: std::string";
  const char *present = "built with _GLIBCXX_USE_CXX11_ABI=1: std::__cxx11::basic_string";
  cause.abi = policy::StringAbi::Old;
  EXPECT_EQ(factOf(policy::torchFinding(cause), "torch"), old);
  EXPECT_EQ(factOf(policy::torchFinding(cause), "file"), present);
  cause.abi = policy::StringAbi::New;
  EXPECT_EQ(factOf(policy::torchFinding(cause), "torch"), present);
  EXPECT_EQ(factOf(policy::torchFinding(cause), "file"), old);
}

TEST(TorchWords, theReleasesThatFitAreProposed) {
  Finding finding = policy::torchFinding(causeOf());
  EXPECT_EQ(factOf(finding, "file fits"), "torch >=2.9.1,<2.11");
  EXPECT_THAT(finding.fixes, ElementsAre("pip install 'torch>=2.9.1,<2.11'",
                                         StartsWith("build against torch==2.11.0")));
}

TEST(TorchWords, atALinkTheBuildComesFirst) {
  TorchCause cause = causeOf();
  cause.atLink = true;
  EXPECT_THAT(policy::torchFixes(cause), ElementsAre(StartsWith("build against torch==2.11.0"),
                                                     "declare 'torch>=2.9.1,<2.11'"));
}

TEST(TorchWords, usersOfAPackageAreToldWhatToInstall) {
  TorchCause cause = causeOf();
  cause.package = "xformers";
  EXPECT_THAT(policy::torchFixes(cause),
              ElementsAre("pip install 'torch>=2.9.1,<2.11'",
                          "install a release of xformers that is built for torch 2.11",
                          HasSubstr("--no-binary xformers")));
}

TEST(TorchWords, whatThePackageRequiresNarrowsTheReleases) {
  EXPECT_EQ(causeOf({}, "torch>=2.10").serving.specifier(), ">=2.10,<2.11");
  EXPECT_EQ(factOf(policy::torchFinding(causeOf({}, "torch>=2.10")), "file fits"),
            "torch >=2.10,<2.11; its names alone >=2.9.1,<2.11");
  for (const char *other : {"numpy>=2.10", "torch>=2.10; sys_platform == 'win32'", "torch<3"})
    EXPECT_EQ(causeOf({}, other).serving.specifier(), ">=2.9.1,<2.11") << other;
}

// PyPI's wheels of 2.9.1 and 2.10.0 bring CUDA 12.8.
TEST(TorchWords, whereNoWheelOfPyPIBringsTheCudaAnotherBuildMay) {
  TorchCause cause = causeOf(needing("libcudart.so.12", "cudaMalloc", 12));
  EXPECT_EQ(cause.otherBuild, "");
  EXPECT_TRUE(cause.serving.any());
  cause = causeOf(needing("libcudart.so.13", "cudaMalloc", 13));
  EXPECT_EQ(cause.otherBuild, "2.9.1+cu130");
  Finding finding = policy::torchFinding(cause);
  EXPECT_EQ(factOf(finding, "names fit"), "torch >=2.9.1,<2.11");
  EXPECT_EQ(factOf(finding, "but"),
            "of these, torch 2.9.1+cu130 brings the CUDA that the file needs");
  EXPECT_EQ(factOf(finding, "file fits"), "");
  EXPECT_EQ(finding.fixes.front(), "pip install 'torch==2.9.1+cu130' --index-url "
                                   "https://download.pytorch.org/whl/cu130");
  cause.atLink = true;
  EXPECT_EQ(policy::torchFixes(cause).back(), "declare 'torch==2.9.1+cu130'");
}

TEST(TorchWords, whereNoBuildBringsTheCudaNoneIsProposed) {
  TorchCause cause = causeOf(needing("libcudart.so.11.0", "cudaMalloc", 11));
  Finding finding = policy::torchFinding(cause);
  EXPECT_EQ(factOf(finding, "but"), "no build of these brings the CUDA that the file needs");
  EXPECT_THAT(finding.fixes, ElementsAre(StartsWith("build against")));
}

TEST(TorchWords, namesOfNoReleaseFitNone) {
  TorchCause cause;
  cause.names = {"aoti_torch_x"};
  policy::setServing(cause, rangeOf({{"2.10.0", Exported::No}}), {}, {});
  EXPECT_EQ(cause.range, std::nullopt);
  EXPECT_EQ(cause.otherBuild, "");
  EXPECT_THAT(test::BinaryJudging::labels(policy::torchFinding(cause)), ElementsAre("symbol"));
}
