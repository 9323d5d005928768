// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Runtime.h"
#include "driver/tables/lookup/Torch.h"
#include <gmock/gmock.h>

using namespace cudacc;
using tables::RuntimeLibrary;

namespace {

const RuntimeLibrary *find(const std::vector<RuntimeLibrary> &all, const char *soname) {
  for (const RuntimeLibrary &each : all)
    if (each.soname == soname)
      return &each;
  return nullptr;
}

} // namespace

TEST(Runtime, ToolkitAlone) {
  auto all = tables::runtimeLibraries(*tables::firstRelease({12, 4}), {});
  const RuntimeLibrary *library = find(all, "libnvJitLink.so.12");
  ASSERT_TRUE(library);
  EXPECT_EQ(library->version, "12.4.99");
  EXPECT_FALSE(library->pinned);
  EXPECT_FALSE(find(all, "libcudnn.so.9"));
  EXPECT_FALSE(find(all, "libcuda.so.1"));
}

TEST(Runtime, EveryLineHasItsLibraries) {
  for (versions::CudaVersion line : tables::toolkitLines()) {
    auto all = tables::runtimeLibraries(*tables::firstRelease(line), {});
    EXPECT_GT(all.size(), 15u) << line.str();
    for (size_t i = 1; i < all.size(); ++i)
      EXPECT_LT(all[i - 1].soname, all[i].soname);
    if (line.major > 11)
      EXPECT_TRUE(find(all, line.major == 12 ? "libcudart.so.12" : "libcudart.so.13"));
  }
}

TEST(Runtime, PinnedLibrariesOfEveryTorchLineHaveTheirRows) {
  for (const tables::TorchRelease &release : tables::torchReleases())
    for (const tables::TorchLine &line : tables::torchLines(release)) {
      auto all =
          tables::runtimeLibraries(*tables::firstRelease(line.cuda), tables::torchPins(line));
      for (const tables::Pin &pin : tables::torchPins(line)) {
        auto ofPin = [&](const RuntimeLibrary &each) { return each.dist == pin.dist; };
        bool library =
            !pin.dist.starts_with("cuda-") && pin.dist != "triton" && !pin.dist.contains("cccl");
        EXPECT_EQ(std::any_of(all.begin(), all.end(), ofPin), library)
            << release.str() << " " << line.tag.str() << " " << pin.dist.str();
      }
    }
}

TEST(Runtime, RanksAreInTheOrderOfVersions) {
  auto older = tables::runtimeLibraries(*tables::firstRelease({12, 9}), {});
  auto newer = tables::runtimeLibraries(*tables::firstRelease({13, 0}), {});
  // 12.10 is sorted after 12.9: compared as numbers.
  EXPECT_LT(find(older, "libcusparse.so.12")->rank, find(newer, "libcusparse.so.12")->rank);
}
