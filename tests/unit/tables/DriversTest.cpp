// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Device.h"
#include <gtest/gtest.h>

using namespace cudacc::tables;
using cudacc::versions::CudaVersion;

TEST(Drivers, FloorOfAMajor) {
  EXPECT_EQ(driverFloor(12), "525.60.13");
  EXPECT_EQ(driverFloor(13), "580.65.06");
  EXPECT_EQ(driverFloor(14), "");
}

// PTX is not CUDA minus 4 (facts README, 4).
TEST(Drivers, PtxOfALine) {
  EXPECT_EQ(ptxOf({12, 4}), (CudaVersion{8, 4}));
  EXPECT_EQ(ptxOf({12, 5}), (CudaVersion{8, 5}));
  EXPECT_EQ(ptxOf({12, 6}), (CudaVersion{8, 5}));
  EXPECT_EQ(ptxOf({12, 8}), (CudaVersion{8, 7}));
  EXPECT_EQ(ptxOf({13, 5}), (CudaVersion{9, 5}));
  EXPECT_FALSE(ptxOf({12, 7}).known());
  EXPECT_FALSE(ptxOf({99, 0}).known());
}
