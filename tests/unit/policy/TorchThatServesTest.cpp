// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/TorchThatServes.h"
#include <gmock/gmock.h>

using namespace cudacc;
using core::LibraryFloor;
using policy::torchThatServes;
using testing::IsEmpty;
using versions::Exported;
using versions::TorchRange;

namespace {

LibraryFloor cublas(const char *soname, const char *requirement) {
  LibraryFloor floor;
  floor.soname = soname;
  floor.requirement = requirement;
  floor.dist = llvm::StringRef(requirement).split('>').first.str();
  return floor;
}
const LibraryFloor cublas12 = cublas("libcublas.so.12", "nvidia-cublas-cu12>=12.4,<13"),
                   cublas13 = cublas("libcublas.so.13", "nvidia-cublas>=13.0,<14");

TorchRange names(std::vector<TorchRange::Release> releases, bool isStable = false) {
  TorchRange range;
  range.releases = std::move(releases);
  range.imports = 1;
  range.isStable = isStable;
  return range;
}

std::string other(std::vector<LibraryFloor> floors, const TorchRange &byNames,
                  std::vector<const char *> declared) {
  std::vector<versions::Requirement> requirements;
  for (const char *text : declared)
    requirements.push_back(*versions::Requirement::parse(text));
  return policy::otherBuildThatServes(floors, byNames, requirements);
}

} // namespace

TEST(TorchThatServes, bringsEachOfTheLibraries) {
  EXPECT_EQ(torchThatServes(cublas12, {}).text(), ">=2.5,<2.11");
  EXPECT_EQ(torchThatServes(cublas13, {}).text(), ">=2.11,<=2.15.0");
  EXPECT_EQ(torchThatServes({cublas12, cublas13}, {}).text(), "none");
  EXPECT_EQ(torchThatServes(cublas("libcublas.so.12", "nvidia-cublas-cu12>"), {}).text(), "none")
      << "a requirement that cannot be read";
}

TEST(TorchThatServes, hasABuildWithTheLabel) {
  EXPECT_EQ(torchThatServes({}, {}, "cu130").text(), ">=2.9,<2.15");
  EXPECT_EQ(torchThatServes(cublas13, {}, "cu130").text(), ">=2.9,<2.15");
  EXPECT_EQ(torchThatServes(cublas13, {}, "cu999").text(), "none");
}

TEST(TorchThatServes, isOfTheReleasesThatWereRead) {
  TorchRange read = names({{"2.5.1", Exported::Yes}, {"2.6.0", Exported::No}});
  TorchRange range = torchThatServes(cublas12, read);
  ASSERT_EQ(range.releases.size(), 2u);
  EXPECT_EQ(range.text(), ">=2.5.1,<2.6");
}

// A release to come may bring another CUDA, unless nothing of it is used.
TEST(TorchThatServes, goesOnIfNothingButTheStableAbiIsUsed) {
  TorchRange stable = names({{"2.10.0", Exported::Yes}}, true);
  EXPECT_TRUE(torchThatServes({}, stable).isStable);
  EXPECT_FALSE(torchThatServes(cublas13, stable).isStable);
  EXPECT_FALSE(torchThatServes({}, stable, "cu130").isStable);
  EXPECT_FALSE(torchThatServes({}, names({{"2.10.0", Exported::Yes}})).isStable);
}

TEST(OtherBuild, isOfAnAllowedReleaseAndNotPyPIs) {
  EXPECT_EQ(other({cublas13}, {}, {}), "2.9.0+cu130");
  EXPECT_EQ(other({cublas13}, {}, {"torch>=2.10", "torchvision==0.1"}), "2.10.0+cu130");
  EXPECT_EQ(other({cublas13}, names({{"2.9.1", Exported::Yes}}), {}), "2.9.1+cu130");
  // PyPI's own build of 2.11 has it.
  EXPECT_EQ(other({cublas13}, {}, {"torch==2.11.0"}), "");
}
