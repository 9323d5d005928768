// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/CudaVersion.h"
#include <gtest/gtest.h>

using cudacc::versions::CudaVersion;

TEST(CudaVersion, ReadsTheFirstTwoNumbers) {
  EXPECT_EQ(CudaVersion::parse("12.4"), (CudaVersion{12, 4}));
  EXPECT_EQ(CudaVersion::parse("12.4.131"), (CudaVersion{12, 4}));
  EXPECT_EQ(CudaVersion::parse("12.10")->str(), "12.10");
}

TEST(CudaVersion, RefusesOtherText) {
  for (const char *text : {"", "12", "12.", ".4", "0.4", "12.4a", "v12.4", "12,4", " 12.4",
                           "99999999999.1", "12.99999999999", "-1.2"})
    EXPECT_FALSE(CudaVersion::parse(text)) << text;
}

TEST(CudaVersion, IsOrderedByNumbers) {
  EXPECT_LT((CudaVersion{12, 9}), (CudaVersion{12, 10}));
  EXPECT_LT((CudaVersion{12, 10}), (CudaVersion{13, 0}));
}

TEST(CudaVersion, UnknownIsZero) {
  EXPECT_FALSE(CudaVersion{}.known());
  EXPECT_EQ(CudaVersion{}.str(), "unknown");
}

// V-EV-01, V-EV-02, V-EV-18: the values in those headers.
TEST(CudaVersion, FromMacro) {
  EXPECT_EQ(CudaVersion::fromMacro(12080), (CudaVersion{12, 8}));
  EXPECT_EQ(CudaVersion::fromMacro(13000), (CudaVersion{13, 0}));
  EXPECT_EQ(CudaVersion::fromMacro(12040), (CudaVersion{12, 4}));
  EXPECT_EQ(CudaVersion::fromMacro(8000), (CudaVersion{8, 0}));
}

// V-EV-19, EV-7
TEST(CudaVersion, ImplausibleMacroIsNothing) {
  EXPECT_FALSE(CudaVersion::fromMacro(12345));
  EXPECT_FALSE(CudaVersion::fromMacro(7990));
  EXPECT_FALSE(CudaVersion::fromMacro(0));
  EXPECT_FALSE(CudaVersion::fromMacro(4294967290u));
}
