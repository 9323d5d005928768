// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Torch.h"
#include <gmock/gmock.h>

using namespace cudacc;
using tables::Confidence;
using tables::PinKind;
using tables::TorchRelease;

namespace {

TorchRelease release(const char *text) {
  for (const TorchRelease &each : tables::torchReleases())
    if (each.str() == text)
      return each;
  ADD_FAILURE() << text << " is not known";
  return {};
}

tables::Pin pin(const tables::TorchLine &line, const char *dist) {
  for (const tables::Pin &each : tables::torchPins(line))
    if (each.dist == dist)
      return each;
  return {};
}

} // namespace

TEST(Torch, ReleasesAreInOrder) {
  auto all = tables::torchReleases();
  ASSERT_GT(all.size(), 25u);
  EXPECT_EQ(all.front().str(), "1.13.0");
  EXPECT_EQ(all.back().str(), "2.15.0");
  for (size_t i = 1; i < all.size(); ++i)
    EXPECT_LT(std::tuple(all[i - 1].major, all[i - 1].minor, all[i - 1].patch),
              std::tuple(all[i].major, all[i].minor, all[i].patch));
}

// torch_platforms: the wheels for aarch64 have CUDA from 2.11 on.
TEST(Torch, KnowsWheelsWithoutCuda) {
  for (const char *each : {"1.13.0", "2.5.1", "2.10.0"})
    EXPECT_EQ(release(each).withoutCuda, "aarch64") << each;
  for (const char *each : {"2.11.0", "2.15.0"})
    EXPECT_EQ(release(each).withoutCuda, "") << each;
}

TEST(Torch, KnowsItsOwnLibraries) {
  for (const char *name : {"libtorch.so", "libtorch_cuda.so", "libc10.so", "libc10_cuda.so"})
    EXPECT_TRUE(tables::isTorchLibrary(name)) << name;
  for (const char *name :
       {"libtorchaudio.so", "libc10ext.so", "libtorch", "torch.so", "libtorch.a"})
    EXPECT_FALSE(tables::isTorchLibrary(name)) << name;
}

TEST(Torch, DefaultLines) {
  EXPECT_EQ(release("2.4.1").defaultLine.str(), "12.1");
  EXPECT_EQ(release("2.5.1").defaultLine.str(), "12.4");
  EXPECT_EQ(release("2.10.0").defaultLine.str(), "12.8");
  EXPECT_EQ(release("2.11.0").defaultLine.str(), "13.0");
  EXPECT_EQ(release("2.15.0").defaultLine.str(), "13.2");
}

TEST(Torch, LinesOfARelease) {
  auto lines = tables::torchLines(release("2.6.0"));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].tag, "cu118");
  EXPECT_EQ(lines[1].tag, "cu124");
  EXPECT_TRUE(lines[1].isDefault);
  EXPECT_FALSE(lines[2].isDefault);
  EXPECT_EQ(lines[2].toolkit->str(), "12.6.3");
}

TEST(Torch, PinsOfALine) {
  tables::TorchLine line = tables::defaultTorchLine(release("2.5.1"));
  tables::Pin nvjitlink = pin(line, "nvidia-nvjitlink-cu12");
  EXPECT_EQ(nvjitlink.floor, "12.4.127");
  EXPECT_FALSE(nvjitlink.floats);
  EXPECT_EQ(nvjitlink.kind, PinKind::Direct);
  EXPECT_EQ(nvjitlink.confidence, Confidence::Verified);
  EXPECT_EQ(pin(line, "nvidia-npp-cu12").dist, "");
}

TEST(Torch, FloatingPins) {
  tables::Pin transitive = pin(tables::defaultTorchLine(release("2.2.0")), "nvidia-nvjitlink-cu12");
  EXPECT_TRUE(transitive.floats);
  EXPECT_EQ(transitive.kind, PinKind::Transitive);
  tables::Pin range = pin(tables::defaultTorchLine(release("2.15.0")), "nvidia-nvjitlink");
  EXPECT_TRUE(range.floats);
  EXPECT_EQ(range.floor, "13.2.86");
  tables::Pin prefix = pin(tables::defaultTorchLine(release("2.15.0")), "nvidia-cublas");
  EXPECT_FALSE(prefix.floats);
  EXPECT_EQ(prefix.kind, PinKind::Extra);
}

// A pin's own confidence overrides that of its row.
TEST(Torch, ConfidenceOfAPin) {
  auto lines = tables::torchLines(release("2.6.0"));
  EXPECT_EQ(pin(lines[2], "nvidia-cusparselt-cu12").confidence, Confidence::Secondary);
  EXPECT_EQ(pin(lines[2], "nvidia-cublas-cu12").confidence, Confidence::Sourced);
  EXPECT_EQ(pin(lines[0], "nvidia-cudnn-cu11").confidence, Confidence::Unverified);
}

TEST(Torch, LinesWithoutPins) {
  auto lines = tables::torchLines(release("2.3.1"));
  EXPECT_EQ(lines[0].tag, "cu118");
  EXPECT_FALSE(lines[0].pinsKnown);
  EXPECT_TRUE(tables::torchPins(lines[0]).empty());
  // 2.14.1 was read for its default line only.
  for (const tables::TorchLine &line : tables::torchLines(release("2.14.1")))
    EXPECT_EQ(line.pinsKnown, line.isDefault) << line.tag.str();
}

TEST(Torch, PatchReleasesShareTheirPins) {
  EXPECT_EQ(tables::defaultTorchLine(release("2.5.0")).pinSet,
            tables::defaultTorchLine(release("2.5.1")).pinSet);
  EXPECT_NE(tables::defaultTorchLine(release("2.5.1")).pinSet,
            tables::defaultTorchLine(release("2.6.0")).pinSet);
}

TEST(Torch, FirstWithALine) {
  EXPECT_EQ(tables::firstTorchWithLine({12, 5})->str(), "2.7.0");
  EXPECT_EQ(tables::firstTorchWithLine({11, 0})->str(), "1.13.0");
  EXPECT_FALSE(tables::firstTorchWithLine({12, 9}));
}
