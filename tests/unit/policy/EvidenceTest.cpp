// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/Evidence.h"
#include "gmock/gmock.h"

using namespace cudacc;
using core::Evidence;
using versions::CudaVersion;

namespace {

core::DeviceImage image(core::ImageKind kind, CudaVersion version) {
  core::DeviceImage image;
  image.kind = kind;
  image.version = version;
  image.arch = {90, 0};
  return image;
}

std::vector<Evidence> of(const core::BinaryFacts &facts,
                         llvm::ArrayRef<core::LibraryFloor> floors = {}) {
  return policy::evidenceOf(facts, floors);
}

const Evidence *find(const std::vector<Evidence> &evidence, llvm::StringRef id) {
  for (const Evidence &each : evidence)
    if (each.id == id)
      return &each;
  return nullptr;
}

} // namespace

TEST(Evidence, highestPtx) { // SY-21
  core::BinaryFacts facts;
  facts.device.units.resize(2);
  facts.device.units[0].images = {image(core::ImageKind::Ptx, {8, 4})};
  facts.device.units[1].images = {image(core::ImageKind::Ptx, {7, 8}),
                                  image(core::ImageKind::Cubin, {})};
  auto found = of(facts);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].id, "SY-21");
  EXPECT_EQ(found[0].text, "PTX ISA 8.4");
  EXPECT_EQ(found[0].least, (CudaVersion{12, 4}));
  EXPECT_FALSE(found[0].most.known());
  facts.device.units[0].images[0].version = {79, 0};
  EXPECT_FALSE(find(of(facts), "SY-21")->least.known()) << "an ISA nobody knows says nothing";
}

TEST(Evidence, aNumberStandsForSeveralToolkits) { // SY-33
  core::BinaryFacts facts;
  facts.device.units.resize(1);
  facts.device.units[0].images = {image(core::ImageKind::LtoIr, {1, 61})};
  const auto found = of(facts);
  const Evidence *evidence = find(found, "SY-33");
  ASSERT_TRUE(evidence);
  EXPECT_EQ(evidence->least, (CudaVersion{12, 4}));
  EXPECT_EQ(evidence->most, (CudaVersion{12, 5}));
}

TEST(Evidence, importsOfNvJitLinkAndOfTheLaunchStub) { // SY-22, SY-24
  core::BinaryFacts facts;
  facts.imports = {{"__nvJitLinkCreate_12_4", "libnvJitLink.so.12", "libnvJitLink.so.12"},
                   {"__nvJitLinkComplete_12_5", "libnvJitLink.so.12", "libnvJitLink.so.12"},
                   {"__cudaLaunchKernel_ptsz", "libcudart.so.13", "libcudart.so.13"}};
  const auto found = of(facts);
  ASSERT_TRUE(find(found, "SY-22"));
  EXPECT_EQ(find(found, "SY-22")->text, "imports __nvJitLinkComplete_12_5");
  EXPECT_EQ(find(found, "SY-22")->most, (CudaVersion{12, 5}));
  ASSERT_TRUE(find(found, "SY-24"));
  EXPECT_EQ(find(found, "SY-24")->least, (CudaVersion{13, 0}));

  core::BinaryFacts older;
  older.imports = {{"cudaLaunchKernel", "libcudart.so.12", "libcudart.so.12"}};
  EXPECT_TRUE(of(older).empty()) << "g++ calls it too";
  older.device.byNvcc = true;
  EXPECT_EQ(of(older).at(0).most, (CudaVersion{12, 9}));
}

TEST(Evidence, floorsAndStaticCudart) { // SY-23, SY-25
  core::LibraryFloor floor;
  floor.soname = "libcudart.so.12";
  floor.cuda = {12, 5};
  core::BinaryFacts facts;
  facts.staticCudart = true;
  const auto found = of(facts, floor);
  EXPECT_EQ(find(found, "SY-23")->least, (CudaVersion{12, 5}));
  EXPECT_TRUE(find(found, "SY-25"));
  floor.oldestOpened = true;
  EXPECT_FALSE(find(of(facts, floor), "SY-23")) << "the oldest that was opened proves nothing";
}
