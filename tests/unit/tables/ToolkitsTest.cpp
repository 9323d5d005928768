// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Toolkits.h"
#include <gmock/gmock.h>

using namespace cudacc;
using versions::Version;

namespace {

std::string lineOf(const char *dist, const char *version) {
  return tables::lineOf(dist, *Version::parse(version)).str();
}

std::string releasesOf(const char *dist, const char *version) {
  std::string list;
  for (const tables::ToolkitRelease &each : tables::releasesOf(dist, *Version::parse(version)))
    list += (list.empty() ? "" : " ") + each.str();
  return list;
}

} // namespace

TEST(Toolkits, KnownReleasesAndLines) {
  auto releases = tables::toolkitReleases();
  EXPECT_EQ(releases.front().str(), "11.4.2");
  EXPECT_EQ(releases.back().str(), "13.5.0");
  auto lines = tables::toolkitLines();
  EXPECT_TRUE(std::is_sorted(lines.begin(), lines.end()));
  EXPECT_EQ(std::count(lines.begin(), lines.end(), (versions::CudaVersion{12, 7})), 0);
}

TEST(Toolkits, FirstAndNewestOfALine) {
  EXPECT_EQ(tables::firstRelease({12, 4})->str(), "12.4.0");
  EXPECT_EQ(tables::newestRelease({12, 4})->str(), "12.4.1");
  EXPECT_EQ(tables::firstRelease({13, 4})->str(), "13.4.1");
  EXPECT_FALSE(tables::firstRelease({12, 7}));
  EXPECT_FALSE(tables::newestRelease({12, 7}));
  EXPECT_FALSE(tables::findToolkitRelease(12, 4, 2));
}

TEST(Toolkits, ComponentVersions) {
  auto release = tables::findToolkitRelease(12, 4, 1);
  EXPECT_EQ(tables::componentVersion(*release, "nvidia-nvjitlink-cu12"), "12.4.127");
  EXPECT_EQ(tables::componentVersion(*release, "nvidia-cublas-cu12"), "12.4.5.8");
  EXPECT_EQ(tables::componentVersion(*release, "nvidia-nvjitlink"), "");
  EXPECT_EQ(tables::componentVersion(*release, "no-such"), "");
}

// V-EV-08, V-EV-09, V-EV-10
TEST(Toolkits, MathLibrariesGoByTheTables) {
  EXPECT_EQ(lineOf("nvidia-cublas", "13.1.0.3"), "13.0");
  EXPECT_EQ(lineOf("nvidia-cufft", "12.0.0.61"), "13.0");
  EXPECT_EQ(lineOf("nvidia-cublas-cu12", "12.4.5.8"), "12.4");
  EXPECT_EQ(lineOf("nvidia-cusparse", "12.6.3.3"), "13.0");
}

// V-EV-07, V-EV-06: the wheel's own version, whatever the metapackage requires; known or unknown.
TEST(Toolkits, NumbersOfTheToolkitAreTheLine) {
  EXPECT_EQ(lineOf("nvidia-nvjitlink", "13.3.33"), "13.3");
  EXPECT_EQ(lineOf("nvidia-nvjitlink", "13.2.78"), "13.2");
  EXPECT_EQ(lineOf("nvidia-cuda-runtime", "13.9.99"), "13.9");
  EXPECT_EQ(lineOf("nvidia-cuda-nvcc", "13.2.78"), "13.2");
}

// V-EV-21
TEST(Toolkits, CcclIsNumberedOnItsOwn) {
  EXPECT_EQ(lineOf("nvidia-cuda-cccl", "13.3.5.0.6"), "13.5");
  EXPECT_EQ(lineOf("nvidia-cuda-cccl", "13.0.85"), "13.0");
  EXPECT_EQ(lineOf("nvidia-cuda-cccl", "13.3.99"), "unknown");
}

// EV-6: a version between two neighbours is unknown.
TEST(Toolkits, UnknownVersionsAreUnknown) {
  EXPECT_EQ(lineOf("nvidia-cublas-cu12", "12.4.5.9"), "unknown");
  EXPECT_EQ(lineOf("nvidia-cudnn-cu12", "9.1.0.70"), "unknown");
  EXPECT_EQ(lineOf("numpy", "1.26"), "unknown");
  // A patch wheel that belongs to no toolkit.
  EXPECT_EQ(lineOf("nvidia-cublas-cu12", "12.9.3.13"), "unknown");
}

TEST(Toolkits, OneNumberMayServeSeveralReleases) {
  EXPECT_EQ(releasesOf("nvidia-cuda-runtime", "13.1.80"), "13.1.0 13.1.1 13.1.2");
  EXPECT_EQ(releasesOf("nvidia-cublas", "13.1.0.3"), "13.0.2");
  EXPECT_EQ(releasesOf("nvidia-cudnn-cu12", "9.1.0.70"), "");
}

TEST(Toolkits, PostReleasesCountAsTheirVersion) {
  EXPECT_EQ(releasesOf("nvidia-cuda-cccl-cu12", "12.4.127.post1"), "12.4.1");
  EXPECT_EQ(releasesOf("nvidia-cublas-cu12", "12.4.5.8.post3"), "12.4.1");
}

// 12.5.1 as a metapackage requires the components of 12.5.0.
TEST(Toolkits, WheelOverrides) {
  EXPECT_EQ(releasesOf("nvidia-cuda-runtime-cu12", "12.5.82"), "12.5.1");
  EXPECT_THAT(releasesOf("nvidia-cuda-runtime-cu12", "12.5.39"), testing::HasSubstr("12.5.0"));
}
