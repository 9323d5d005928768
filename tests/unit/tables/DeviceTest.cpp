// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Device.h"
#include <gmock/gmock.h>

using namespace cudacc;
using core::ImageKind;
using tables::Works;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using versions::Arch;
using versions::CudaVersion;
using versions::Exported;

namespace {

std::string driverCuda(const char *driver) {
  auto found = tables::cudaOfDriver(*versions::Version::parse(driver));
  return found ? (found->exact ? "" : ">=") + found->cuda.str() : "none";
}

} // namespace

TEST(Device, PtxIsLookedUpNeverComputed) {
  EXPECT_EQ(tables::minCudaOfPtx({8, 5}), (CudaVersion{12, 5}));
  EXPECT_EQ(tables::minCudaOfPtx({8, 6}), (CudaVersion{12, 7}));
  EXPECT_EQ(tables::minCudaOfPtx({8, 7}), (CudaVersion{12, 8}));
  EXPECT_EQ(tables::minCudaOfPtx({7, 9}), std::nullopt);
  EXPECT_EQ(tables::minCudaOfPtx({8, 9}), std::nullopt);
}

TEST(Device, WhoTranslatesWhichPtx) { // PL-4, V-PL-06 to V-PL-08, V-PL-16
  EXPECT_EQ(tables::translatesPtx({12, 8}, {8, 8}), Works::No);
  EXPECT_EQ(tables::translatesPtx({12, 8}, {8, 0}), Works::Yes);
  EXPECT_EQ(tables::translatesPtx({12, 9}, {9, 0}), Works::No);
  EXPECT_EQ(tables::translatesPtx({12, 5}, {8, 5}), Works::Yes);
  EXPECT_EQ(tables::translatesPtx({12, 4}, {8, 5}), Works::No);
  EXPECT_EQ(tables::translatesPtx({13, 0}, {6, 4}), Works::Yes);
  EXPECT_EQ(tables::translatesPtx({10, 2}, {6, 4}), Works::Unknown);
  EXPECT_EQ(tables::translatesPtx({13, 5}, {9, 9}), Works::No);
  EXPECT_EQ(tables::translatesPtx({14, 0}, {9, 9}), Works::Unknown);
  EXPECT_EQ(tables::translatesPtx({14, 0}, {9, 5}), Works::Yes);
  EXPECT_EQ(tables::translatesPtx({13, 5}, {8, 9}), Works::Unknown);
  EXPECT_EQ(tables::translatesPtx({}, {8, 0}), Works::Unknown);
}

TEST(Device, ArchitecturesOfALine) {
  EXPECT_EQ(tables::knowsArch({12, 4}, {90, 'a'}), Works::Yes);
  EXPECT_EQ(tables::knowsArch({12, 4}, {100, 0}), Works::No);
  EXPECT_EQ(tables::knowsArch({12, 9}, {70, 0}), Works::Yes);
  EXPECT_EQ(tables::knowsArch({13, 0}, {70, 0}), Works::No);
  EXPECT_EQ(tables::knowsArch({12, 8}, {100, 'f'}), Works::No);
  EXPECT_EQ(tables::knowsArch({12, 9}, {100, 'f'}), Works::Yes);
  EXPECT_EQ(tables::knowsArch({13, 0}, {101, 0}), Works::No);
  EXPECT_EQ(tables::knowsArch({13, 0}, {250, 0}), Works::No);
  EXPECT_EQ(tables::knowsArch({13, 99}, {90, 0}), Works::Unknown);
  EXPECT_EQ(tables::knowsArch({12, 7}, {90, 0}), Works::Unknown);
  EXPECT_THAT(tables::knownArchs(), Contains(Arch{121, 'f'}));
}

TEST(Device, FromAnArchitectureUp) { // F15
  EXPECT_THAT(tables::archsFrom({80, 0}, {12, 4}),
              ElementsAre(Arch{80}, Arch{86}, Arch{89}, Arch{90}));
  EXPECT_THAT(tables::archsFrom({90, 0}, {12, 8}), ElementsAre(Arch{90}, Arch{100}, Arch{120}));
  auto thirteen = tables::archsFrom({80, 0}, {13, 0});
  EXPECT_THAT(thirteen, Not(Contains(Arch{87})));
  EXPECT_THAT(thirteen, Not(Contains(Arch{110})));
  EXPECT_THAT(thirteen, Contains(Arch{121}));
  EXPECT_THAT(tables::archsFrom({80, 0}, {13, 99}), IsEmpty());
  EXPECT_THAT(tables::archsFrom({200, 0}, {13, 0}), IsEmpty());
}

TEST(Device, EmbeddedParts) {
  for (uint16_t number : {53, 62, 72, 87, 101, 110})
    EXPECT_TRUE(tables::isEmbedded({number, 0})) << number;
  EXPECT_TRUE(tables::isEmbedded({110, 'a'}));
  for (uint16_t number : {52, 80, 86, 90, 100, 121, 999})
    EXPECT_FALSE(tables::isEmbedded({number, 0})) << number;
}

TEST(Device, Families) {
  EXPECT_THAT(tables::familyOf({100, 'f'}), ElementsAre(100, 103, 107));
  EXPECT_THAT(tables::familyOf({120, 'f'}), ElementsAre(120, 121));
  EXPECT_THAT(tables::familyOf({121, 'f'}), ElementsAre(121));
  EXPECT_THAT(tables::familyOf({100, 0}), IsEmpty());
  EXPECT_THAT(tables::familyOf({100, 'a'}), IsEmpty());
  EXPECT_THAT(tables::familyOf({250, 'f'}), IsEmpty());
}

TEST(Device, FirstPtxOfATarget) {
  EXPECT_EQ(tables::firstPtxOf({100, 0})->isa, (CudaVersion{8, 6}));
  EXPECT_FALSE(tables::firstPtxOf({100, 0})->atMost);
  EXPECT_TRUE(tables::firstPtxOf({80, 0})->atMost);
  EXPECT_FALSE(tables::firstPtxOf({250, 0}));
}

TEST(Device, LtoIrStandsForSeveralLines) { // SY-33
  EXPECT_THAT(tables::linesOfLtoIr({1, 61}), ElementsAre(CudaVersion{12, 4}, CudaVersion{12, 5}));
  EXPECT_THAT(tables::linesOfLtoIr({1, 67}),
              ElementsAre(CudaVersion{13, 3}, CudaVersion{13, 4}, CudaVersion{13, 5}));
  EXPECT_THAT(tables::linesOfLtoIr({1, 54}), ElementsAre(CudaVersion{11, 8}));
  EXPECT_THAT(tables::linesOfLtoIr({1, 58}), IsEmpty());
}

TEST(Device, WhatNvJitLinkTakes) { // PL-2, V-PL-01 to V-PL-05, V-PL-14, V-PL-15, V-PL-17
  auto lto = [](CudaVersion producer, CudaVersion consumer) {
    return tables::nvJitLinkTakes(ImageKind::LtoIr, producer, consumer);
  };
  EXPECT_EQ(lto({12, 9}, {12, 8}), Works::No);
  EXPECT_EQ(lto({12, 8}, {12, 9}), Works::Yes);
  EXPECT_EQ(lto({12, 8}, {13, 0}), Works::Yes);
  EXPECT_EQ(lto({12, 5}, {12, 4}), Works::No);
  EXPECT_EQ(lto({13, 0}, {12, 9}), Works::No);
  EXPECT_EQ(lto({11, 8}, {12, 4}), Works::Unknown);
  EXPECT_EQ(lto({12, 4}, {13, 99}), Works::Unknown);
  EXPECT_EQ(tables::nvJitLinkTakes(ImageKind::Cubin, {12, 9}, {12, 8}), Works::No);
  EXPECT_EQ(tables::nvJitLinkTakes(ImageKind::Cubin, {13, 0}, {12, 9}), Works::Yes);
  EXPECT_EQ(tables::nvJitLinkTakes(ImageKind::Ptx, {12, 6}, {12, 5}), Works::Yes);
  EXPECT_TRUE(tables::majorsWork(ImageKind::LtoIr, 12, 13));
  EXPECT_TRUE(tables::majorsWork(ImageKind::LtoIr, 12, 12));
  EXPECT_FALSE(tables::majorsWork(ImageKind::LtoIr, 13, 12));
  EXPECT_FALSE(tables::majorsWork(ImageKind::LtoIr, 11, 12));
}

TEST(Device, CudaVersionOfADriver) {
  EXPECT_EQ(driverCuda("580.159.04"), "13.0");
  EXPECT_EQ(driverCuda("535.54.03"), "12.2");
  EXPECT_EQ(driverCuda("535.104"), "12.2");
  EXPECT_EQ(driverCuda("550.54.14"), "12.4");
  EXPECT_EQ(driverCuda("525.60.13"), "12.0");
  // A branch that no toolkit release names: 565 is that of CUDA 12.7.
  EXPECT_EQ(driverCuda("565.57.01"), ">=12.6");
  EXPECT_EQ(driverCuda("999.1"), ">=13.4");
  EXPECT_EQ(driverCuda("440.33"), "none");
  EXPECT_EQ(tables::firstDriverOf({12, 2}), "535.54.03");
  EXPECT_EQ(tables::firstDriverOf({12, 7}), "");
}

TEST(Device, NamesOfTheDriver) { // F11
  EXPECT_EQ(tables::driverSince("cuInit")->cuda, (CudaVersion{2, 0}));
  EXPECT_EQ(tables::driverExports({12, 3}, "cuCtxCreate_v4"), Exported::No);
  EXPECT_EQ(tables::driverExports({12, 5}, "cuCtxCreate_v4"), Exported::Yes);
  EXPECT_EQ(tables::driverExports({13, 0}, "cuGraphGetId"), Exported::No);
  EXPECT_EQ(tables::driverExports({13, 1}, "cuGraphGetId"), Exported::Yes);
  // The headers of 12.0 no longer have it; the driver keeps it.
  EXPECT_EQ(tables::driverExports({12, 4}, "cuGraphAddKernelNode"), Exported::Yes);
  EXPECT_EQ(tables::driverExports({12, 4}, "cuMemcpy_ptds"), Exported::Yes);
  // The oldest header that was read has it.
  EXPECT_EQ(tables::driverExports({11, 0}, "cuCtxCreate_v2"), Exported::Unknown);
  EXPECT_EQ(tables::driverExports({11, 4}, "cuCtxCreate_v2"), Exported::Yes);
  EXPECT_EQ(tables::driverExports({12, 4}, "cuNoSuchName"), Exported::Unknown);
  EXPECT_EQ(tables::driverExports({12, 4}, "cudaMalloc"), Exported::Unknown);
  EXPECT_EQ(tables::driverExports({}, "cuInit"), Exported::Unknown);
}
