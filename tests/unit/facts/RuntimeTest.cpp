#include "driver/facts/Runtime.h"
#include "driver/facts/Torch.h"
#include <gmock/gmock.h>

using namespace cudacc;
using facts::RuntimeLibrary;

namespace {

const RuntimeLibrary *find(const std::vector<RuntimeLibrary> &all, const char *soname) {
  for (const RuntimeLibrary &each : all)
    if (each.soname == soname)
      return &each;
  return nullptr;
}

} // namespace

TEST(Runtime, ToolkitAlone) {
  auto all = facts::runtimeLibraries(*facts::firstRelease({12, 4}), {});
  const RuntimeLibrary *library = find(all, "libnvJitLink.so.12");
  ASSERT_TRUE(library);
  EXPECT_EQ(library->version, "12.4.99");
  EXPECT_FALSE(library->pinned);
  EXPECT_FALSE(find(all, "libcudnn.so.9"));
  EXPECT_FALSE(find(all, "libcuda.so.1"));
}

TEST(Runtime, EveryLineHasItsLibraries) {
  for (core::CudaVersion line : facts::toolkitLines()) {
    auto all = facts::runtimeLibraries(*facts::firstRelease(line), {});
    EXPECT_GT(all.size(), 15u) << line.str();
    for (size_t i = 1; i < all.size(); ++i)
      EXPECT_LT(all[i - 1].soname, all[i].soname);
    if (line.major > 11)
      EXPECT_TRUE(find(all, line.major == 12 ? "libcudart.so.12" : "libcudart.so.13"));
  }
}

TEST(Runtime, PinnedLibrariesOfEveryTorchLineHaveTheirRows) {
  for (const facts::TorchRelease &release : facts::torchReleases())
    for (const facts::TorchLine &line : facts::torchLines(release)) {
      auto all = facts::runtimeLibraries(*facts::firstRelease(line.cuda), facts::torchPins(line));
      for (const facts::Pin &pin : facts::torchPins(line)) {
        auto ofPin = [&](const RuntimeLibrary &each) { return each.dist == pin.dist; };
        bool library =
            !pin.dist.starts_with("cuda-") && pin.dist != "triton" && !pin.dist.contains("cccl");
        EXPECT_EQ(std::any_of(all.begin(), all.end(), ofPin), library)
            << release.str() << " " << line.tag.str() << " " << pin.dist.str();
      }
    }
}

TEST(Runtime, RanksAreInTheOrderOfVersions) {
  auto older = facts::runtimeLibraries(*facts::firstRelease({12, 9}), {});
  auto newer = facts::runtimeLibraries(*facts::firstRelease({13, 0}), {});
  // 12.10 numbers sort behind 12.9 ones: compared as numbers.
  EXPECT_LT(find(older, "libcusparse.so.12")->rank, find(newer, "libcusparse.so.12")->rank);
}
