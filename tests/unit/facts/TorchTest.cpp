#include "driver/facts/Torch.h"
#include <gmock/gmock.h>

using namespace cudacc;
using facts::Confidence;
using facts::PinKind;
using facts::TorchRelease;

namespace {

TorchRelease release(const char *text) {
  for (const TorchRelease &each : facts::torchReleases())
    if (each.str() == text)
      return each;
  ADD_FAILURE() << text << " is not known";
  return {};
}

facts::Pin pin(const facts::TorchLine &line, const char *dist) {
  for (const facts::Pin &each : facts::torchPins(line))
    if (each.dist == dist)
      return each;
  return {};
}

} // namespace

TEST(Torch, ReleasesAreInOrder) {
  auto all = facts::torchReleases();
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
    EXPECT_TRUE(facts::isTorchLibrary(name)) << name;
  for (const char *name :
       {"libtorchaudio.so", "libc10ext.so", "libtorch", "torch.so", "libtorch.a"})
    EXPECT_FALSE(facts::isTorchLibrary(name)) << name;
}

TEST(Torch, DefaultLines) {
  EXPECT_EQ(release("2.4.1").defaultLine.str(), "12.1");
  EXPECT_EQ(release("2.5.1").defaultLine.str(), "12.4");
  EXPECT_EQ(release("2.10.0").defaultLine.str(), "12.8");
  EXPECT_EQ(release("2.11.0").defaultLine.str(), "13.0");
  EXPECT_EQ(release("2.15.0").defaultLine.str(), "13.2");
}

TEST(Torch, LinesOfARelease) {
  auto lines = facts::torchLines(release("2.6.0"));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].tag, "cu118");
  EXPECT_EQ(lines[1].tag, "cu124");
  EXPECT_TRUE(lines[1].isDefault);
  EXPECT_FALSE(lines[2].isDefault);
  EXPECT_EQ(lines[2].toolkit->str(), "12.6.3");
}

TEST(Torch, PinsOfALine) {
  facts::TorchLine line = facts::defaultTorchLine(release("2.5.1"));
  EXPECT_TRUE(line.pinsComplete);
  facts::Pin nvjitlink = pin(line, "nvidia-nvjitlink-cu12");
  EXPECT_EQ(nvjitlink.floor, "12.4.127");
  EXPECT_FALSE(nvjitlink.floats);
  EXPECT_EQ(nvjitlink.kind, PinKind::Direct);
  EXPECT_EQ(nvjitlink.confidence, Confidence::Verified);
  EXPECT_EQ(pin(line, "nvidia-npp-cu12").dist, "");
}

TEST(Torch, FloatingPins) {
  facts::Pin transitive = pin(facts::defaultTorchLine(release("2.2.0")), "nvidia-nvjitlink-cu12");
  EXPECT_TRUE(transitive.floats);
  EXPECT_EQ(transitive.kind, PinKind::Transitive);
  facts::Pin range = pin(facts::defaultTorchLine(release("2.15.0")), "nvidia-nvjitlink");
  EXPECT_TRUE(range.floats);
  EXPECT_EQ(range.floor, "13.2.86");
  facts::Pin prefix = pin(facts::defaultTorchLine(release("2.15.0")), "nvidia-cublas");
  EXPECT_FALSE(prefix.floats);
  EXPECT_EQ(prefix.kind, PinKind::Extra);
}

// A pin's own confidence replaces that of its row.
TEST(Torch, ConfidenceOfAPin) {
  auto lines = facts::torchLines(release("2.6.0"));
  EXPECT_EQ(pin(lines[2], "nvidia-cusparselt-cu12").confidence, Confidence::Secondary);
  EXPECT_EQ(pin(lines[2], "nvidia-cublas-cu12").confidence, Confidence::Sourced);
  EXPECT_EQ(pin(lines[0], "nvidia-cudnn-cu11").confidence, Confidence::Unverified);
}

TEST(Torch, LinesWithoutPins) {
  auto lines = facts::torchLines(release("2.3.1"));
  EXPECT_EQ(lines[0].tag, "cu118");
  EXPECT_FALSE(lines[0].pinsKnown);
  EXPECT_TRUE(facts::torchPins(lines[0]).empty());
  // 2.14.1 was read for its default line only.
  for (const facts::TorchLine &line : facts::torchLines(release("2.14.1")))
    EXPECT_EQ(line.pinsKnown, line.isDefault) << line.tag.str();
}

TEST(Torch, PatchReleasesShareTheirPins) {
  EXPECT_EQ(facts::defaultTorchLine(release("2.5.0")).pinSet,
            facts::defaultTorchLine(release("2.5.1")).pinSet);
  EXPECT_NE(facts::defaultTorchLine(release("2.5.1")).pinSet,
            facts::defaultTorchLine(release("2.6.0")).pinSet);
}

TEST(Torch, FirstWithALine) {
  EXPECT_EQ(facts::firstTorchWithLine({12, 5})->str(), "2.7.0");
  EXPECT_EQ(facts::firstTorchWithLine({11, 0})->str(), "1.13.0");
  EXPECT_FALSE(facts::firstTorchWithLine({12, 9}));
}
