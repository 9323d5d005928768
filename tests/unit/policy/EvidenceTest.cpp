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
  facts.device.units[0].images[0].version = {99, 0};
  EXPECT_FALSE(find(of(facts), "SY-33")->least.known()) << "no toolkit that is known writes it";
  facts.device.units[0].images[0].version = {};
  EXPECT_FALSE(find(of(facts), "SY-33"));
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
  facts.imports.push_back({"__nvJitLinkDestroy_12_5", "libnvJitLink.so.12", "libnvJitLink.so.12"});
  EXPECT_EQ(find(of(facts), "SY-22")->text, "imports __nvJitLinkComplete_12_5")
      << "the first of its version";
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
  core::LibraryFloor higher = floor, same = floor;
  higher.cuda = {12, 6};
  same.soname = "libcublas.so.12";
  EXPECT_EQ(find(of(facts, {floor, higher}), "SY-23")->least, (CudaVersion{12, 6}));
  EXPECT_EQ(find(of(facts, {higher, floor}), "SY-23")->least, (CudaVersion{12, 6}));
  EXPECT_EQ(find(of(facts, {floor, same}), "SY-23")->text, "imports of libcudart.so.12");
  floor.oldestOpened = true;
  EXPECT_FALSE(find(of(facts, floor), "SY-23")) << "the oldest that was opened proves nothing";
}

TEST(Evidence, theOldestToolkitIsThatOfTheNewestPart) {
  using policy::leastToolkit;
  core::BinaryFacts facts;
  EXPECT_FALSE(leastToolkit(facts).known());
  facts.device.units.resize(1);
  auto of = [&](core::ImageKind kind, CudaVersion version) {
    facts.device.units[0].images = {image(kind, version)};
    return leastToolkit(facts);
  };
  EXPECT_EQ(of(core::ImageKind::Ptx, {8, 4}), (CudaVersion{12, 4}));
  EXPECT_EQ(of(core::ImageKind::LtoIr, {1, 61}), (CudaVersion{12, 4}));
  EXPECT_FALSE(of(core::ImageKind::LtoIr, {99, 0}).known());
  EXPECT_FALSE(of(core::ImageKind::Cubin, {1, 61}).known()) << "that is no LTO-IR";
  facts.cudartRelease = {12, 1};
  EXPECT_EQ(of(core::ImageKind::Ptx, {7, 8}), (CudaVersion{12, 1}));
  facts.manifest.objects.emplace_back(core::ObjectRecord{"", "12.5.82", "", ""}, 1);
  EXPECT_EQ(leastToolkit(facts), (CudaVersion{12, 5}));
}

TEST(Evidence, theLeastDriverIsThatOfTheRuntimeAndOfThePtx) {
  using policy::leastDriver;
  core::BinaryFacts facts;
  EXPECT_EQ(leastDriver(facts, {12, 4}).code, "") << "nothing of CUDA";
  facts.needed = {"libc.so.6"};
  EXPECT_EQ(leastDriver(facts, {12, 4}).code, "");
  facts.needed.push_back("libcudart.so.12");
  core::LeastDriver least = leastDriver(facts, {12, 4});
  EXPECT_EQ(least.code, "525.60.13");
  EXPECT_FALSE(least.isa.known());
  EXPECT_EQ(least.ptx, "");
  facts.needed.clear();
  facts.device.units.resize(1);
  facts.device.units[0].images = {image(core::ImageKind::Ptx, {8, 4})};
  least = leastDriver(facts, {12, 4});
  EXPECT_EQ(least.code, "525.60.13");
  EXPECT_EQ(least.isa, (CudaVersion{8, 4}));
  EXPECT_EQ(least.ptx, "550.54.14");
  // The cudart of a newer major counts if it lies inside.
  facts.device.units[0].images = {image(core::ImageKind::Ptx, {9, 0})};
  EXPECT_EQ(leastDriver(facts, {12, 4}).code, "525.60.13");
  facts = {};
  facts.staticCudart = true;
  facts.cudartRelease = {13, 0};
  EXPECT_EQ(leastDriver(facts, {12, 4}).code, "580.65.06");
}
